import { describe, expect, it } from 'vitest'
import { everything, filesystem, fixture, json, troupe } from './harness.ts'

const modern = fixture('modern')

describe('prompts', () => {
  it('read like functions of strings', async () => {
    const { exitCode, out } = await troupe(['prompts', ...everything])
    expect(exitCode).toBe(0)
    expect(out).toContain('args-prompt(city: string, state?: string)\n  A prompt with two arguments')
    expect(out).toContain('simple-prompt()\n')
  })

  it('are what the server lists with --json', async () => {
    expect(json((await troupe(['prompts', '--json', ...modern])).out)).toMatchObject({
      prompts: [{ name: 'review', arguments: [{ name: 'language' }] }],
    })
    expect(json((await troupe(['prompts', '--json', ...filesystem])).out)).toEqual({ prompts: [] })
  })
})

describe('a prompt', () => {
  it('is rendered message by message', async () => {
    const { exitCode, out } = await troupe(['prompt', 'args-prompt', 'city=Rome', ...everything])
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: "user:\nWhat's weather in Rome?\n" })
    const two = await troupe([
      'prompt',
      'resource-prompt',
      'resourceType=Text',
      'resourceId=1',
      ...everything,
    ])
    expect(two.out).toMatch(/^user:\n[^\n]+\n\nuser:\n\[demo:\S+, text\/plain\]\nResource 1/)
  })

  it('is the whole result with --json', async () => {
    const { out } = await troupe(['prompt', 'review', 'language=perl', '--json', ...modern])
    expect(json(out)).toMatchObject({ messages: [{ role: 'user', content: { type: 'text' } }] })
  })

  it('takes strings only, numbers included', async () => {
    const { out } = await troupe(['prompt', 'args-prompt', 'city=5', ...everything])
    expect(out).toContain('5')
    expect(await troupe(['prompt', 'args-prompt', 'city:=5', ...everything])).toMatchObject({
      exitCode: 1,
      err: 'error: city takes a string, as every argument of a prompt, not 5\n',
    })
    const twice = await troupe(['prompt', 'args-prompt', 'city=a', 'city=b', ...everything])
    expect(twice.err).toBe('error: city is given 2 times: it takes one value\n')
  })

  it('that does not exist is a usage error with the nearest name', async () => {
    expect(await troupe(['prompt', 'reveiw', ...modern])).toMatchObject({
      exitCode: 1,
      err: 'error: The server has no prompt "reveiw". Did you mean review?\n',
    })
  })
})
