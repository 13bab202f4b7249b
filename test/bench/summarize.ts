import { type Contender, contenderNames } from './contenders.ts'
import { jobName } from './plan.ts'
import type { Measured } from './rounds.ts'
import type { Row } from './rows.ts'

export interface RowSummary {
  readonly label: string
  readonly unit: string
  /** Medians over the rounds, and the least and the most seen; absent where a contender did not run. */
  readonly medians: Partial<Record<Contender, number>>
  readonly spread: Partial<Record<Contender, readonly [least: number, most: number]>>
  /** Ours divided by the official client's. */
  readonly ratio: number | undefined
  readonly inlineRatio: number | undefined
  readonly moreIsBetter: boolean
  readonly target: number | undefined
  readonly inlineTarget: number | undefined
  readonly met: boolean | undefined
  readonly inlineMet: boolean | undefined
}

export function summarize(rows: readonly Row[], figures: Measured['figures']): readonly RowSummary[] {
  return rows.map((row) => {
    const medians: Partial<Record<Contender, number>> = {}
    const spread: Partial<Record<Contender, readonly [number, number]>> = {}
    for (const contender of contenderNames) {
      const values = (figures.get(jobName(row))?.get(contender) ?? []).map((sample) => sample[row.figure])
      const known = values.filter((value) => typeof value === 'number')
      if (known.length === 0) continue
      medians[contender] = median(known)
      spread[contender] = [Math.min(...known), Math.max(...known)]
    }
    const { label, unit, moreIsBetter = false, target, inlineTarget } = row
    const ratio = divide(medians.ours, medians.official)
    const inlineRatio = divide(medians['ours-inline'], medians.official)
    const met = isMet(ratio, target, moreIsBetter)
    const inlineMet = isMet(inlineRatio, inlineTarget, moreIsBetter)
    return {
      label,
      unit,
      medians,
      spread,
      ratio,
      inlineRatio,
      moreIsBetter,
      target,
      inlineTarget,
      met,
      inlineMet,
    }
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] as number) + upper) / 2
}

function divide(ours: number | undefined, official: number | undefined): number | undefined {
  return ours === undefined || !official ? undefined : ours / official
}

function isMet(
  ratio: number | undefined,
  target: number | undefined,
  moreIsBetter: boolean,
): boolean | undefined {
  if (ratio === undefined || target === undefined) return undefined
  return moreIsBetter ? ratio >= target : ratio <= target
}
