import { describe, expect, it } from 'vitest'
import { everything, fixture, json, troupe } from './harness.ts'

describe('a modern server', () => {
  it('shows what was asked, answered and concluded', async () => {
    const { exitCode, out, err } = await troupe(['probe', ...fixture('modern')])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toMatch(
      /^1\. asked server\/discover at 2026-07-28\n {3}after \d+ ms: versions 2026-07-28\n {3}so it is modern: the server names 2026-07-28\n\n/,
    )
    expect(out).toMatch(
      /^verdict {7}modern\nversion {7}2026-07-28\nserver {8}fixture-modern · 1\.0\.0 · Modern fixture\n/m,
    )
    expect(out).toMatch(/^capabilities {2}.*\btools \(listChanged\)/m)
    expect(out).toMatch(/^instructions {2}A server to test clients with\.$/m)
  })

  it('is a report with --json', async () => {
    expect(json((await troupe(['probe', '--json', ...fixture('modern')])).out)).toEqual({
      verdict: 'modern',
      protocolVersion: '2026-07-28',
      supportedVersions: ['2026-07-28'],
      serverInfo: expect.objectContaining({ name: 'fixture-modern' }),
      capabilities: expect.objectContaining({ tools: { listChanged: true } }),
      instructions: 'A server to test clients with.',
      evidence: [
        {
          asked: 'server/discover',
          version: '2026-07-28',
          answer: { kind: 'result', result: expect.any(Object) },
          afterMs: expect.any(Number),
          verdict: 'modern',
          reason: 'the server names 2026-07-28',
        },
      ],
    })
  })
})

describe('a legacy server', () => {
  it('shows both questions', async () => {
    const { exitCode, out } = await troupe(['probe', ...everything])
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /^1\. asked server\/discover at 2026-07-28\n {3}after \d+ ms: error -32601: Method not found\n {3}so the legacy handshake follows\n/,
    )
    expect(out).toMatch(
      /^2\. asked initialize at 2025-11-25\n {3}after \d+ ms: version 2025-11-25\n {3}so it is legacy: agreed on 2025-11-25\n\n/m,
    )
    expect(out).toMatch(/^verdict {7}legacy\nversion {7}2025-11-25\n/m)
  })

  it('may be silent when asked first', async () => {
    const { exitCode, out } = await troupe([
      'probe',
      '--probe-timeout',
      '50',
      ...fixture('silent-on-discover'),
    ])
    expect(exitCode).toBe(0)
    expect(out).toContain('no answer within 50 ms\n   so the legacy handshake follows')
  })

  it('is only shaken hands with when its era is given', async () => {
    const { out } = await troupe(['probe', '--era', 'legacy', '--json', ...fixture('modern')])
    expect(json(out)).toMatchObject({
      verdict: 'legacy',
      evidence: [{ asked: 'initialize', verdict: 'agreed' }],
    })
  })
})

describe('a connection that fails', () => {
  it('counts only the versions of the era it was told', async () => {
    const { err } = await troupe(['probe', '--era', 'legacy', ...fixture('bare-modern')])
    expect(err).toContain('no protocol version of ours (2025-11-25): it names 2026-07-28')
  })

  it('shows its evidence before the error', async () => {
    const { exitCode, out, err } = await troupe(['probe', ...fixture('bare-modern', '--nothing-usable')])
    expect(exitCode).toBe(4)
    expect(out).toMatch(
      /error -32022.*\n {3}so there is no version in common[\s\S]*\nverdict {7}undecided\n$/,
    )
    expect(err).toMatch(/^error: The server speaks no protocol version of ours .*\n$/)
  })

  it('has evidence and failure in its report, and the failure on stderr, with --json', async () => {
    const { exitCode, out, err } = await troupe(['probe', '--json', ...fixture('bare-modern', '--disjoint')])
    expect(exitCode).toBe(4)
    const { error } = json(err) as { error: object }
    expect(error).toMatchObject({ code: 'UNSUPPORTED_VERSION', supported: ['2099-01-01'] })
    expect(json(out)).toMatchObject({
      verdict: 'undecided',
      evidence: [{ asked: 'server/discover' }, { asked: 'initialize', verdict: 'refused' }],
      failure: error,
    })
  })

  it('may have none', async () => {
    const { exitCode, out, err } = await troupe(['probe', '--', 'no-such-program'])
    expect(exitCode).toBe(2)
    expect(out).toBe('Nothing was answered.\n\nverdict       undecided\n')
    expect(err).toMatch(/^error: Cannot start no-such-program: /)
  })
})
