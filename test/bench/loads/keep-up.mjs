/**
 * Keeps `inFlight` calls going: `ask(count)` sends so many more, and `heard(count)` is to be called when so many were answered.
 * `keepUp` resolves to how many were, once none is open.
 */
export function keepingUp(inFlight, ask) {
  let heard = () => {}
  const keepUp = (forMs, atLeast = 0) =>
    new Promise((resolve) => {
      const until = performance.now() + forMs
      let answered = 0
      let open = inFlight
      heard = (count) => {
        answered += count
        if (performance.now() < until || answered < atLeast) return ask(count)
        open -= count
        if (open === 0) resolve(answered)
      }
      ask(inFlight)
    })
  return { keepUp, heard: (count) => heard(count) }
}
