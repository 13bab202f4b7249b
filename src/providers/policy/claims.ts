import { randomUUID } from 'node:crypto'

/** Whoever answers the questions that a batch of calls raises. */
export interface Claimant<Answerer> {
  readonly answerer: Answerer
  readonly batch: string
}

/** Who answers what, by the claim that travels with calls and comes back with questions. */
export class Claims<Answerer> {
  readonly #claimants = new Map<string, Claimant<Answerer>>()

  /** Names the claimant until `release`. */
  claim(claimant: Claimant<Answerer>): string {
    const claim = randomUUID()
    this.#claimants.set(claim, claimant)
    return claim
  }

  release(claim: string): void {
    this.#claimants.delete(claim)
  }

  /** Undefined when nobody claimed, or the claimant's calls are over. */
  find(claim: string | undefined): Claimant<Answerer> | undefined {
    return claim === undefined ? undefined : this.#claimants.get(claim)
  }
}
