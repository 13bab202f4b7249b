import { askReferee } from './referee.ts'

export const revisions = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

/** The scenarios one side runs for a revision: those its verdict hangs on, and those that are only reported. */
export interface Requirements {
  readonly scored: readonly string[]
  readonly unscored: readonly string[]
}

export async function readRequirements(leg: 'client' | 'server', revision: Revision): Promise<Requirements> {
  const listing = await askReferee(['list', '--requirements', revision])
  const [scoredPart = '', unscoredPart = ''] = listing.split('\nRun and reported')
  const sections = scoredPart.split('\n\n')
  const own = sections.find((section) => section.toLowerCase().startsWith(`${leg} scenarios`)) ?? ''
  const scored = names(own, /^ {2}- (\S+)$/gm)
  if (scored.length === 0)
    throw new Error(`the referee lists no ${leg} scenarios for ${revision}:\n${listing}`)
  return { scored, unscored: names(unscoredPart, new RegExp(`^ {4}- (\\S+) \\[${leg}\\]$`, 'gm')) }
}

function names(text: string, line: RegExp): string[] {
  return [...text.matchAll(line)].map(([, name = '']) => name)
}
