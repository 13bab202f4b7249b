import { expect, it } from 'vitest'
import { progressLine } from '../../../src/cli/text/progress-line.ts'
import { styleFor } from '../../../src/cli/text/style.ts'

const plain = styleFor({ isTerminal: false, columns: undefined, write: () => {} }, {})

it('is a bar where the total is known', () => {
  expect(progressLine({ progress: 1, total: 2, message: 'half' }, 80, plain)).toBe(
    '████████████░░░░░░░░░░░░ 1/2 half',
  )
  expect(progressLine({ progress: 7 }, 80, plain)).toBe('7')
})

it('fits its line, whatever a server claims', () => {
  expect(progressLine({ progress: 9, total: 2 }, 80, plain)).toMatch(/^█{24} 9\/2$/)
  expect(progressLine({ progress: 1, total: 0 }, 80, plain)).toBe('1/0')
  expect(progressLine({ progress: 1, total: 2, message: 'x\n'.repeat(100) }, 60, plain)).toHaveLength(59)
})
