/** Tells a host what it wants to be told. Whoever reports trouble with the reporter? */
export function quietly(onWarn: ((message: string) => unknown) | undefined): (message: string) => void {
  return (message) => {
    try {
      void Promise.resolve(onWarn?.(message)).catch(() => {})
    } catch {}
  }
}
