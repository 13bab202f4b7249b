import { describe, expect, it } from 'vitest'
import { readProgress } from '../../src/protocol/progress.ts'

describe('a progress notification', () => {
  it.each([
    [
      { progressToken: 't', progress: 1 },
      { token: 't', report: { progress: 1 } },
    ],
    [
      { progressToken: 0, progress: 0 },
      { token: 0, report: { progress: 0 } },
    ],
    [
      { progressToken: '', progress: 0.5, total: 2, message: 'half' },
      { token: '', report: { progress: 0.5, total: 2, message: 'half' } },
    ],
    [
      { progressToken: 1, progress: 1, total: '2', message: 7 },
      { token: 1, report: { progress: 1 } },
    ],
  ])('%j is read', (params, read) => {
    expect(readProgress(params)).toEqual(read)
  })

  it.each([
    [{}],
    [{ progressToken: 't' }],
    [{ progress: 1 }],
    [{ progressToken: null, progress: 1 }],
    [{ progressToken: 't', progress: '1' }],
  ])('%j is malformed', (params) => {
    expect(readProgress(params)).toBeUndefined()
  })
})
