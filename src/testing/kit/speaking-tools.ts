import type { Registrar, Unregister } from '../../server/registration/registrar.ts'

/** Tools that say something before they answer, or have to be given up. */
export function speakingTools(registrar: Registrar): void {
  registrar.tool(
    'count',
    {
      description: 'Reports and logs each step',
      params: { to: { type: 'integer', maximum: 10_000, required: true } },
    },
    ({ to }, context) => {
      for (let step = 1; step <= to; step++) {
        context.progress({ progress: step, total: to, message: `step ${step}` })
        context.log('info', { step })
        context.log('debug', 'deep down')
      }
      return `counted to ${to}`
    },
  )
  waiting(registrar)
  changing(registrar)
}

function waiting(registrar: Registrar): void {
  let waiters = 0
  registrar.tool('wait', { description: 'Answers when it is given up' }, async (_, context) => {
    const { signal } = context
    waiters += 1
    context.progress({ progress: 1, message: 'waiting' })
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    waiters -= 1
    return 'aborted'
  })
  registrar.tool(
    'waiting',
    { description: 'How many calls of wait are under way', annotations: { readOnlyHint: true } },
    () => String(waiters),
  )
}

function changing(registrar: Registrar): void {
  let takeAway: Unregister | undefined
  registrar.tool('touch', { description: 'Lists the tool extra, or takes it away again' }, () => {
    registrar.resourceUpdated('kit://text')
    if (!takeAway) {
      takeAway = registrar.tool('extra', { description: 'Comes and goes with touch' }, () => 'here')
      return 'extra is listed'
    }
    takeAway()
    takeAway = undefined
    return 'extra is gone'
  })
}
