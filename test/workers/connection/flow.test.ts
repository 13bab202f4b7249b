import { describe, expect, it } from 'vitest'
import { FakeTransport } from '../../../src/testing/index.ts'
import { Host } from '../harness.ts'

describe('a connection whose host is behind', () => {
  it('leaves lines of stderr out, and says so once in a while', async () => {
    const host = await Host.ready(FakeTransport.modern(), { forwardStderr: true })
    host.transport.wire.stderr('before')
    host.connection.pause()
    for (let n = 0; n < 100; n++) host.transport.wire.stderr('too fast')
    host.connection.resume()
    host.transport.wire.stderr('after')
    expect(host.of('stderr').map(({ line }) => line)).toEqual(['before', 'after'])
    expect(host.warnings).toHaveLength(7)
    expect(host.warnings.at(-1)).toBe(
      'a line of stderr was left out (64 so far): they come faster than the host reads',
    )
  })

  it('has its wire read no further, where that is possible', async () => {
    const asked: string[] = []
    const transport = Object.assign(FakeTransport.modern(), {
      pause: () => asked.push('pause'),
      resume: () => asked.push('resume'),
    })
    const { connection } = await Host.ready(transport)
    connection.pause()
    connection.resume()
    expect(asked).toEqual(['pause', 'resume'])
  })
})
