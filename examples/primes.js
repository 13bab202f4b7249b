/**
 * Work that holds its thread up: it runs in one of its own.
 * @type {import('mcp-troupe/server').ThreadHandler<{ readonly below: number }>}
 */
export default function countPrimes({ below }, context) {
  let count = 0
  for (let n = 2; n < below; n++) {
    if (n % 1_000_000 === 0) context.progress({ progress: n, total: below, message: `${count} so far` })
    if (isPrime(n)) count++
  }
  return `${count} primes below ${below}`
}

function isPrime(n) {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false
  return true
}
