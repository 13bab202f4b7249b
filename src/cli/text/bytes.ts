/** A size as people read it. */
export function bytes(count: number): string {
  let value = count
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const shown = unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)
  return `${shown} ${units[unit]}`
}

/** How many bytes base64 stands for. */
export function decodedLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']
