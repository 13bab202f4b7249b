import fc from 'fast-check'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'

/** Any text a JSON string can hold, lone surrogates and all. */
export const text = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), loneSurrogate()),
})

/** Any JSON value, as a parser makes it. */
export const json = fc
  .jsonValue({ stringUnit: 'binary' })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))

/** Any JSON object, also with keys like `__proto__`. */
export const jsonObject = fc
  .dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '_meta', 'id')), json)
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)

/** Messages that are nearly right: the interesting ones. */
export const nearlyMessage = fc
  .record(
    {
      jsonrpc: fc.oneof({ arbitrary: fc.constant('2.0'), weight: 5 }, json),
      id: fc.oneof(fc.integer(), fc.string(), json),
      method: fc.oneof(fc.string(), json),
      params: fc.oneof(jsonObject, json),
      result: fc.oneof(jsonObject, json),
      error: fc.oneof(
        fc.record(
          { code: fc.oneof(fc.integer(), json), message: fc.oneof(fc.string(), json), data: json },
          { requiredKeys: [] },
        ),
        json,
      ),
    },
    { requiredKeys: ['jsonrpc'] },
  )
  .map((message) => JSON.parse(JSON.stringify(message)) as JsonObject)

function loneSurrogate() {
  return fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code))
}
