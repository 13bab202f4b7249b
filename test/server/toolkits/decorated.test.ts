import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { attribute, DecoratedToolkit, McpServer, tool } from '../../../src/server/index.ts'
import { Calculator } from '../../fixtures/toolkits/calculator.ts'
import { Asker } from '../dispatch/harness.ts'

function serving(toolkit: DecoratedToolkit): Asker {
  return new Asker(new McpServer({ name: 'alone', toolkits: [toolkit] }))
}

async function call(asker: Asker, name: string, args: object = {}): Promise<unknown> {
  const { result, error } = await asker.modern('tools/call', { name, arguments: args })
  return result?.isError === undefined ? (result?.content ?? error) : result
}

const text = (value: string) => [{ type: 'text', text: value }]

describe('a decorated class', () => {
  it('has a tool for each decorated method, of that object', async () => {
    const asker = serving(new Calculator({ digits: 1 }))
    const { result } = await asker.modern('tools/list')
    expect(result?.tools).toMatchObject([
      { name: 'add', description: 'Adds two numbers', inputSchema: { required: ['a', 'b'] } },
      { name: 'asked', title: 'What was asked', annotations: { readOnlyHint: true } },
      { name: 'digits', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      { name: 'less-than' },
      { name: 'motto' },
    ])
    expect(await call(asker, 'add', { a: 1, b: 2.25 })).toEqual(text('3.3'))
    expect(await call(asker, 'less-than', { a: 1, b: 2 })).toEqual(text('true'))
    expect(await call(serving(new Calculator()), 'add', { a: 1, b: 2 })).toEqual(text('3.00'))
  })

  it('checks arguments by the schema that its decorator was given', async () => {
    expect(await call(serving(new Calculator()), 'add', { a: 1 })).toMatchObject({ isError: true })
  })

  it('tells the value that an attribute has by then', async () => {
    const asker = serving(new Calculator())
    await call(asker, 'add', { a: 1, b: 2 })
    expect(await call(asker, 'asked')).toEqual(text('1'))
    expect(await call(asker, 'motto')).toEqual(text('2 digits'))
  })

  it('has resources, templates and prompts', async () => {
    const asker = serving(new Calculator())
    expect(await asker.modern('resources/read', { uri: 'calc://pi' })).toMatchObject({
      result: { contents: [{ text: '3.14', mimeType: 'text/plain' }] },
    })
    expect(await asker.modern('resources/read', { uri: 'calc://squares/12' })).toMatchObject({
      result: { contents: [{ text: '144' }] },
    })
    expect(await asker.modern('prompts/get', { name: 'sum', arguments: { what: 'it' } })).toMatchObject({
      result: { messages: [{ content: { text: 'Add up it.' } }] },
    })
  })

  it('goes under a prefix like any toolkit, as often as one likes', async () => {
    const server = new McpServer({ name: 'host' })
    server.plug(new Calculator({ digits: 0 }), { prefix: 'calc' })
    server.plug(new Calculator({ digits: 3 }), { prefix: 'exact' })
    const asker = new Asker(server)
    expect(await call(asker, 'calc_add', { a: 1, b: 2 })).toEqual(text('3'))
    expect(await call(asker, 'exact_add', { a: 1, b: 2 })).toEqual(text('3.000'))
  })

  it('inherits what is decorated above, in the form it has below', async () => {
    class Loud extends Calculator {
      override add(args: { a: number; b: number }): string {
        return `${super.add(args)}!`
      }

      @tool({ name: 'less', description: 'Instead' })
      override isLess(): boolean {
        return false
      }
    }
    const asker = serving(new Loud())
    expect(await call(asker, 'add', { a: 1, b: 2 })).toEqual(text('3.00!'))
    expect(await call(asker, 'less')).toEqual(text('false'))
    expect(await call(asker, 'less-than', { a: 1, b: 2 })).toMatchObject({ code: -32602 })
  })

  it('gives methods the request, and refuses at its registration what is no name', async () => {
    class Curious extends DecoratedToolkit {
      @tool()
      async who(_: object, { era }: { era: string }): Promise<string> {
        return era
      }
    }
    expect(await call(serving(new Curious()), 'who')).toEqual(text('modern'))

    class Odd extends DecoratedToolkit {
      @attribute()
      readonly $value = 1
    }
    expect(() => serving(new Odd())).toThrow('tool: names must be')
  })

  it('types its arguments by any Standard Schema, and gets what that makes of them', async () => {
    class Coercing extends DecoratedToolkit {
      @tool({ inputSchema: z.object({ a: z.coerce.number() }) })
      double({ a }: { a: number }): number {
        return a * 2
      }
    }
    expect(await call(serving(new Coercing()), 'double', { a: '21' })).toEqual(text('42'))
  })

  it('does not compile when a method takes something else than its schema says', async () => {
    class Wrong extends DecoratedToolkit {
      // @ts-expect-error The schema says string.
      @tool({ params: { a: { type: 'string', required: true } } })
      add({ a }: { a: number }): number {
        return a
      }
    }
    expect(await call(serving(new Wrong()), 'add', { a: 1 })).toMatchObject({ isError: true })
  })

  it('has to be a DecoratedToolkit', () => {
    class Stray {
      // @ts-expect-error This is no DecoratedToolkit.
      @tool()
      add(): string {
        return ''
      }
    }
    expect(() => new Stray()).toThrow('tool add: is decorated in a class that is no DecoratedToolkit')
  })
})
