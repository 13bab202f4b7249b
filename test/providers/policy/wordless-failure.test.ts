import { expect, it } from 'vitest'
import { Policy } from '../../../src/index.ts'
import { call } from '../registry/provider.ts'
import { RecordingProvider } from './recording-provider.ts'

it('a dialog that fails without words refuses that call, and throws nothing', async () => {
  const onAsk = () => {
    throw Object.create(null)
  }
  const policy = new Policy({ provider: new RecordingProvider(), onAsk })
  const [result] = await policy.executeToolCalls([call('sh_run')])
  expect(result).toMatchObject({
    is_error: true,
    content: expect.stringContaining('got no usable answer (a value of type object)'),
  })
})
