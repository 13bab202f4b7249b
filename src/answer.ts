/** What a predicate knows about a call. An allow needs `yes`; a deny or an ask fires on `unknown` too. */
export type Answer = 'yes' | 'no' | 'unknown'

/** All of them: one `no` decides, then one `unknown`; of none, `yes`. */
export function every(answers: Iterable<Answer>): Answer {
  let result: Answer = 'yes'
  for (const answer of answers) {
    if (answer === 'no') return 'no'
    if (answer === 'unknown') result = 'unknown'
  }
  return result
}

/** Any of them: one `yes` decides, then one `unknown`; of none, `no`. */
export function some(answers: Iterable<Answer>): Answer {
  let result: Answer = 'no'
  for (const answer of answers) {
    if (answer === 'yes') return 'yes'
    if (answer === 'unknown') result = 'unknown'
  }
  return result
}
