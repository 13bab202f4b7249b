import type { Launched } from './launchers.ts'

/**
 * What a program runs besides itself although it is no launcher. `certain`: what it runs. `possible`: words that nobody can judge may
 * make it run something.
 */
export interface Escapes {
  readonly certain: readonly Launched[]
  readonly possible: boolean
}

export const escapesNothing: Escapes = { certain: [], possible: false }
export const mayEscape: Escapes = { certain: [], possible: true }
export const escapes: Escapes = { certain: ['unknown'], possible: false }
