import { readFileSync } from 'node:fs'

/**
 * Starts counting processor time. The function it returns gives what was used since, in milliseconds: `mainCpuMs` by
 * the main thread alone (null where the system does not tell threads apart), `allCpuMs` by every thread of this process.
 */
export function startCpuMeter() {
  const mainBefore = mainThreadMs()
  const allBefore = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(allBefore)
    const main = mainThreadMs()
    return { mainCpuMs: main === null ? null : main - mainBefore, allCpuMs: (user + system) / 1000 }
  }
}

// Event-loop utilisation counts time in system calls and time waiting for a core: it is not processor time. On Linux
// the main thread's id is the process id, and the first figure of its schedstat is nanoseconds on a core.
function mainThreadMs() {
  if (process.platform === 'linux') {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  }
  if (typeof process.threadCpuUsage !== 'function') return null
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
