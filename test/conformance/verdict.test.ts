import { expect, it } from 'vitest'
import type { Check, Result } from './results.ts'
import { complaintsAbout, complaintsAlone, excusedComplaints } from './verdict.ts'

it('is content with successes, skipped checks and remarks', () => {
  expect(complaintsAbout(resultOf('SUCCESS', 'SKIPPED', 'INFO'))).toEqual([])
})

it('counts a warning as a failure, and quotes the check and the last words of the client', () => {
  const result = { ...resultOf('SUCCESS', 'WARNING'), stderr: 'Error: no\n    at here\n' }
  expect(complaintsAbout(result)).toEqual(['WARNING check-1: too late', 'stderr: Error: no'])
})

it('does not take silence for success', () => {
  expect(complaintsAbout(resultOf('SKIPPED', 'INFO'))).toEqual([
    'not one check succeeded: nothing was tested',
  ])
  expect(complaintsAbout(undefined)).toEqual(['the referee left no result'])
})

it('minds how a client ended that ran by itself', () => {
  const results = new Map([['ping', resultOf('SUCCESS')]])
  expect(complaintsAlone({ exitCode: 0, output: '', results }, 'ping')).toEqual([])
  expect(complaintsAlone({ exitCode: 1, output: 'x\nClient exited with code 9\n', results }, 'ping')).toEqual(
    ['Client exited with code 9'],
  )
  expect(complaintsAlone({ exitCode: 3, output: 'Boom', results }, 'ping')).toEqual([
    'the referee exited with code 3',
  ])
})

it('wants what passes out of the baseline', () => {
  expect(excusedComplaints(resultOf('FAILURE'))).toEqual([])
  expect(excusedComplaints(resultOf('SUCCESS'))).toEqual(['passes, so it must leave baseline.yml'])
})

function resultOf(...statuses: readonly Check['status'][]): Result {
  const checks = statuses.map((status, index) => ({
    id: `check-${index}`,
    description: 'something',
    status,
    errorMessage: status === 'WARNING' ? 'too\nlate' : undefined,
  }))
  return { checks, stderr: '' }
}
