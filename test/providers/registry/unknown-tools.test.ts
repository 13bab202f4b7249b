import { describe, expect, it } from 'vitest'
import type { ToolDeclaration } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { deferred } from '../../model/deferred.ts'
import { call, declared, failing, namesOf, registry, Toolkit } from './provider.ts'

describe('a call of a tool that nobody is known to have', () => {
  /** A provider whose list comes when the test says so. */
  const late = () => {
    const list = deferred<readonly ToolDeclaration[]>()
    const asked = deferred<void>()
    const toolsForLlm = () => {
      asked.resolve()
      return list.promise
    }
    return { list, asked: asked.promise, provider: failing({ toolsForLlm }) }
  }

  it.each(['zzz', 'down', 'dow_n_read', 'down.read', 'DOWN_read', `down_${'x'.repeat(60)}`, ''])(
    'because no prefix fits it, %j, is refused at once, whoever is down, and takes no other call with it',
    async (name) => {
      const tools = registry()
      tools.add(new Toolkit('read'), { prefix: 'good' })
      await tools.toolsForLlm()
      tools.add(late().provider, { prefix: 'down' })
      expect(await tools.executeToolCalls([call(name), call('good_read')])).toMatchObject([
        { is_error: true, content: expect.stringMatching(/^There is no tool .*Nothing was done\.$/) },
        { content: 'read was run' },
      ])
    },
  )

  it('waits for those whose prefix fits it, and for no others', async () => {
    const tools = registry()
    const [short, long, other] = [late(), late(), late()]
    tools.add(short.provider, { prefix: 'a' })
    tools.add(long.provider, { prefix: 'a_b' })
    tools.add(other.provider, { prefix: 'c' })
    const results = tools.executeToolCalls([call('a_b_a')])
    await Promise.all([short.asked, long.asked])
    long.list.resolve([declared('a')])
    let isAnswered = false
    void results.then(() => {
      isAnswered = true
    })
    await new TestClock().settle()
    expect(isAnswered).toBe(false)
    short.list.resolve([declared('b')])
    expect(await results).toMatchObject([{ content: 'a was run' }])
  })

  it('leaves a list that is under way whole, and what is known of others published', async () => {
    const tools = registry()
    const [other, meant] = [late(), late()]
    tools.add(new Toolkit('read'), { prefix: 'good' })
    await tools.toolsForLlm()
    tools.add(other.provider, { prefix: 'other' })
    tools.add(meant.provider, { prefix: 'meant' })
    const listed = namesOf(tools)
    const results = tools.executeToolCalls([call('meant_a')])
    meant.list.resolve([declared('a')])
    expect(await results).toMatchObject([{ content: 'a was run' }])
    expect(await tools.executeToolCalls([call('good_read')])).toMatchObject([{ content: 'read was run' }])
    other.list.resolve([declared('b')])
    expect(await listed).toEqual(['good_read', 'other_b', 'meant_a'])
    await new TestClock().settle()
    expect(await tools.executeToolCalls([call('other_b')])).toMatchObject([{ content: 'b was run' }])
  })

  it('of one that cannot be listed says why, whoever else is down', async () => {
    const tools = registry()
    const broken = failing({ toolsForLlm: () => Promise.reject(new Error('out of order')) })
    tools.add(broken, { prefix: 'bro!ken' })
    tools.add(late().provider, { prefix: 'down' })
    expect(await tools.executeToolCalls([call('bro_ken_a_0a1b2c3d')])).toMatchObject([
      { is_error: true, content: expect.stringContaining('out of order') },
    ])
  })
})
