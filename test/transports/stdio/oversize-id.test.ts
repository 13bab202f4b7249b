import { describe, expect, it } from 'vitest'
import { oversizeId } from '../../../src/transports/stdio/oversize-id.ts'

const big = 'x'.repeat(5000)

function idOf(line: string) {
  const bytes = Buffer.from(line)
  return oversizeId(bytes.subarray(0, 1024), bytes.subarray(-256))
}

describe('the id of a discarded message', () => {
  it.each([
    ['first', `{"id":7,"jsonrpc":"2.0","result":{"text":"${big}"}}`, 7],
    ['second, with blanks', ` { "jsonrpc" : "2.0" , "id" : 7 , "result" : { "text":"${big}"}}`, 7],
    ['a string with escapes', `{"jsonrpc":"2.0","id":"a\\"b,}","result":{"text":"${big}"}}`, 'a"b,}'],
    ['last', `{"result":{"text":"${big}"},"jsonrpc":"2.0","id":7}`, 7],
    ['last but one', `{"result":{"text":"${big}"},"id":"seven","jsonrpc":"2.0" } `, 'seven'],
    ['of an error', `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"${big}"}}`, 7],
    ['beside a nested one', `{"result":{"id":1,"text":"${big}","id":2},"id":7}`, 7],
  ])('is found when it stands %s', (_, line, id) => {
    expect(idOf(line)).toBe(id)
  })

  it.each([
    ['only nested in the result', `{"jsonrpc":"2.0","result":{"id":1,"text":"${big}","id":2}}`],
    ['inside a string', `{"result":"${big}, \\"id\\":7}"}`],
    [
      "the server's own request",
      `{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"a":"${big}"}}`,
    ],
    ['its request with the method last', `{"params":{"a":"${big}"},"id":7,"method":"roots/list"}`],
    [
      'a request whose params come before its method',
      `{"id":7,"params":{"a":"${big}"},"method":"x","_":${'[]'.repeat(1)}}`,
    ],
    ['null', `{"jsonrpc":"2.0","id":null,"error":{"message":"${big}"}}`],
    ['a fraction', `{"jsonrpc":"2.0","id":7.5,"result":{"text":"${big}"}}`],
    ['a batch', `[{"jsonrpc":"2.0","id":7,"result":{"text":"${big}"}}]`],
    ['no object', big],
    ['cut off', `{"jsonrpc":"2.0","id":"${big}`],
  ])('is unknown when it is %s', (_, line) => {
    expect(idOf(line)).toBeUndefined()
  })
})
