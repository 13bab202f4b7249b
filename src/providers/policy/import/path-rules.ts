import { isEvaluable } from '../../../paths/location.ts'
import type { ImportSettings } from './import-rules.ts'
import { atLeast, each, exactly, nothing, type Translation } from './translation.ts'

/**
 * Patterns as in a .gitignore: `//` begins at the disk's root, `~/` at home, `/` and `./` at the project's; one without a slash
 * within is meant at any depth.
 */
export function pathRules(
  specifier: string | undefined,
  tools: readonly string[],
  { root, home }: Pick<ImportSettings, 'root' | 'home'>,
): Translation {
  const pattern = specifier?.trim()
  if (pattern === undefined || pattern === '') return exactly(each(tools))
  const body = pattern.replace(/(^|\/)\*\*$/, '$1')
  const wild = body.search(/[*?[\]!\\]/)
  const plain = wild < 0 ? body : body.slice(0, body.lastIndexOf('/', wild) + 1)
  const isAnchored = pattern === '**' || pattern.slice(0, -1).includes('/')
  if (!isAnchored || (wild >= 0 && /^(?:\.?\/|~\/|\/\/)?$/.test(plain)))
    return nothing('is meant at any depth, and rules are about one place')
  const under = placeOf(plain, root, home)
  if (under === undefined) return nothing('begins at home, and nobody said where that is')
  if (!isEvaluable(under)) return nothing('is no place that can be compared with others')
  return wild < 0
    ? exactly(each(tools, { under }))
    : atLeast(each(tools, { under }), 'has a wildcard within, and rules are about whole directories')
}

function placeOf(plain: string, root: string | undefined, home: string | undefined): string | undefined {
  if (plain.startsWith('//')) return trimmed(plain.slice(1))
  if (/^~(?:\/|$)/.test(plain)) return home === undefined ? undefined : trimmed(`${home}${plain.slice(1)}`)
  const within = plain.replace(/^(?:\.?\/)+/, '')
  return trimmed(root === undefined ? within || '.' : `${trimmed(root)}/${within}`)
}

function trimmed(path: string): string {
  return path.replace(/(?<=.)\/+$/, '')
}
