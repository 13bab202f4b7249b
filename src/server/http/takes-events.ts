/** Whether an `Accept` header takes a stream of events. */
export function takesEvents(accept: string | undefined): boolean {
  return /(^|[,\s])(text\/event-stream|text\/\*)/i.test(accept ?? '')
}
