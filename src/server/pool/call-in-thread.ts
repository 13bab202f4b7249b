import { MessageChannel } from 'node:worker_threads'
import type { CallFacts, Outcome, ToldFrame, ToolFrame } from '../../../workers/tool-frames.ts'
import type { ToolPool } from '../../../workers/tool-pool.ts'
import type { Clock } from '../../clock.ts'
import { CancelledError, ProtocolError, TimeoutError } from '../../errors.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { ToolAnswer } from '../registration/tool.ts'
import type { RequestContext } from '../request/request-context.ts'

export interface ThreadTarget {
  readonly tool: string
  readonly module: string
  readonly exportName: string
  /** From when a thread has the call. */
  readonly timeoutMs: number | undefined
  readonly memoryMb: number
  readonly clock: Clock
}

/**
 * Runs one call in a thread, and ends that when nobody waits any more. @throws what the handler threw, as Error or ProtocolError; an
 * Error that says how its thread died; TimeoutError and CancelledError
 */
export async function callInThread(
  pool: ToolPool,
  target: ThreadTarget,
  args: unknown,
  context: RequestContext,
): Promise<ToolAnswer> {
  const { tool, module, exportName, timeoutMs, clock } = target
  const { port1: here, port2: port } = new MessageChannel()
  const ending = new AbortController()
  const giveUp = () => ending.abort(new CancelledError({ method: tool }))
  context.signal.addEventListener('abort', giveUp, { once: true })
  let timer: unknown
  const began = () => {
    if (timeoutMs !== undefined)
      timer = clock.setTimeout(
        () =>
          ending.abort(
            new TimeoutError({ method: tool, timeoutMs, option: 'the timeoutMs of its definition' }),
          ),
        timeoutMs,
      )
  }
  const heard = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const hear = (frame: ToldFrame) => {
    try {
      if (frame.kind === 'progress') context.progress(frame.report)
      else context.log(frame.level, frame.data)
    } catch (error) {
      // A log sink of the author's that throws: as where the handler is a function.
      ending.abort(error)
    }
    Atomics.add(heard, 0, frame.chars)
    Atomics.notify(heard, 0)
  }
  const outcome = new Promise<Outcome>((resolve) => {
    here.on('message', (frame: ToolFrame) => {
      if (frame.kind === 'began') began()
      else if ('chars' in frame) hear(frame)
      else resolve(frame)
    })
  })
  try {
    const task = { module, exportName, args, facts: factsOf(context), port, heard }
    await pool.run(task, ending.signal).catch((cause) => {
      throw ending.signal.aborted
        ? ending.signal.reason
        : new Error(deathOf(target, cause, pool.ended), { cause })
    })
    // Said before the thread was done with it, but it may still be on its way.
    return answerOf(await outcome)
  } finally {
    clock.clearTimeout(timer)
    context.signal.removeEventListener('abort', giveUp)
    here.close()
    // Still here if no thread took it.
    port.close()
  }
}

function factsOf(context: RequestContext): CallFacts {
  const { era, protocolVersion, clientInfo, clientCapabilities, logLevel, principal } = context
  return { era, protocolVersion, clientInfo, clientCapabilities, logLevel, principal }
}

function answerOf(outcome: Outcome): ToolAnswer {
  switch (outcome.kind) {
    case 'answered':
      return JSON.parse(outcome.text)
    case 'threw':
      throw new Error(outcome.message)
    case 'refused':
      throw new ProtocolError(outcome.error)
  }
}

function deathOf({ tool, memoryMb }: ThreadTarget, cause: unknown, ended: Error | undefined): string {
  if (ended) return `${tool} was not run to its end: ${ended.message}`
  const { name, code } = Object(cause) as { readonly name?: unknown; readonly code?: unknown }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return `${tool} crashed: it needed more memory than its thread has, ${memoryMb} MiB (threads.memoryMb)`
  if (name === 'DataCloneError')
    return `The arguments of ${tool} cannot be handed to a thread: ${thrownMessage(cause)}`
  return `${tool} crashed, and its thread with it: ${thrownMessage(cause)}`
}
