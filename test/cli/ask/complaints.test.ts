import { describe, expect, it } from 'vitest'
import { complaintAboutNumber, complaintAboutText } from '../../../src/cli/ask/complaints.ts'

describe('a text', () => {
  it.each([
    ['email', 'ada@example.org', 'ada'],
    ['uri', 'https://example.org/a', 'example.org'],
    ['date', '2024-02-29', '2026-02-29'],
    ['date-time', '2026-07-28T12:00:00+02:00', '2026-07-28 12:00'],
  ] as const)('of format %s is %s, not %s', (format, right, wrong) => {
    expect(complaintAboutText(right, { kind: 'text', format })).toBeUndefined()
    expect(complaintAboutText(wrong, { kind: 'text', format })).toMatch(/^Must be an? /)
  })

  it('is counted in characters as people do', () => {
    expect(complaintAboutText('👍👍', { kind: 'text', minLength: 2, maxLength: 2 })).toBeUndefined()
    expect(complaintAboutText('👍', { kind: 'text', minLength: 2 })).toBe('At least 2 characters, not 1')
  })
})

it.each([
  ['5', true, undefined],
  ['5.5', true, 'Must be a whole number'],
  ['5.5', false, undefined],
  ['five', false, 'Must be a number'],
  ['0', true, 'Must be 1 or more'],
  ['10', true, 'Must be 9 or less'],
])('the number %s, whole: %s', (text, isWhole, complaint) => {
  expect(complaintAboutNumber(text, { kind: 'number', isWhole, minimum: 1, maximum: 9 })).toBe(complaint)
})
