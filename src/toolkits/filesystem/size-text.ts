/** For people and models: `812 B`, `1.2 KB`, `16 MB`; in steps of 1024. */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 2 ** (10 * step)
  return `${step === 0 || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${units[step]}`
}

const units = ['B', 'KB', 'MB', 'GB', 'TB']
