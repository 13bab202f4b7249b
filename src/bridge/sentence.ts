/** A message as one sentence among others: messages of errors end as they like. */
export function sentence(text: string): string {
  return /[.!?…\]]$/.test(text) ? text : `${text}.`
}
