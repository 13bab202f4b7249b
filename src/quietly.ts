/** Whoever reports trouble with the reporter? */
export function quietly(onWarn: ((message: string) => void) | undefined): (message: string) => void {
  return (message) => {
    try {
      onWarn?.(message)
    } catch {}
  }
}
