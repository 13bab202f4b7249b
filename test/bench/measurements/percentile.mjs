/** The value below which `share` (0 to 1) of the samples lie. */
export function percentile(samples, share) {
  const sorted = Float64Array.from(samples).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
