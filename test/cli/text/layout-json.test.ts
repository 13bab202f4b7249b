import { expect, it } from 'vitest'
import { layoutJson } from '../../../src/cli/text/layout-json.ts'

const value = {
  short: [1, { a: null }],
  long: { first: 'x'.repeat(40), second: 'y'.repeat(40) },
  none: [],
}

it('breaks only what is too long for a line', () => {
  expect(layoutJson(value, 80).split('\n')).toEqual([
    '{',
    '  "short": [1, { "a": null }],',
    '  "long": {',
    `    "first": "${'x'.repeat(40)}",`,
    `    "second": "${'y'.repeat(40)}"`,
    '  },',
    '  "none": []',
    '}',
  ])
})

it.each([[value], [{ gone: undefined, kept: [undefined] }], [null], ['text'], [[]]])(
  'stays the JSON it is: %j',
  (given) => {
    expect(JSON.parse(layoutJson(given, 20))).toEqual(JSON.parse(JSON.stringify(given)))
  },
)
