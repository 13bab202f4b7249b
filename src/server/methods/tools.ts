import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { isProtocolError } from '../dispatch/protocol-error.ts'
import type { RegisteredTool } from '../registration/tool.ts'
import { within } from '../request/current-request.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { PreparedSchema } from '../schema/argument-schema.ts'
import { callWithTask } from '../tasks/call-with-task.ts'
import { mayBecomeTask } from '../tasks/task-support.ts'
import type { Method } from './method.ts'
import { invalidParams, nameOf } from './params.ts'

/** Whatever goes wrong in a tool is a result that a model can read; only what never reached one is an error. */
export const callTool: Method = async (server, params, context) => {
  const name = nameOf(params, 'name')
  const tool = server.offer.tools.get(name)
  if (!tool) throw invalidParams(`${name} is not a tool of this server`)
  const { arguments: args = {} } = params
  if (!isObject(args)) throw invalidParams('arguments must be an object')
  const work = () => resultOf(tool, args, context)
  const { taskSupport, taskStart } = tool
  if (mayBecomeTask(name, taskSupport, context)) return callWithTask(server.tasks, context, taskStart, work)
  if (taskSupport !== 'forbidden') context.mayStartTask(goOn)
  return { result: await work() }
}

/** For a client that takes no tasks nothing changes. */
const goOn = () => Promise.resolve()

async function resultOf(
  { listed: { name }, input, output, handler }: RegisteredTool,
  args: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  try {
    const fitting = input.fit(args)
    const fit = fitting instanceof Promise ? await fitting : fitting
    if ('complaints' in fit)
      return failure(`The arguments do not fit the parameters of ${name}: ${fit.complaints.join('; ')}`)
    const answer: unknown = await within(context, () => handler(fit.value as never, context))
    const result = readAnswer(answer)
    if (!result)
      return failure(
        `${name} answered with ${kindOf(answer)}, which is no answer of a tool: it takes text, an array of content blocks, or { content } or { structuredContent }`,
      )
    return output ? await checked(name, output, result) : result
  } catch (error) {
    if (isProtocolError(error)) throw error
    return failure(thrownMessage(error) || `${name} failed without saying why`)
  }
}

function readAnswer(answer: unknown): JsonObject | undefined {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] }
  if (Array.isArray(answer)) return answer.every(isBlock) ? { content: answer } : undefined
  if (!isObject(answer)) return undefined
  const { content, structuredContent, isError } = answer
  if (isError !== undefined && typeof isError !== 'boolean') return undefined
  if (Array.isArray(content)) return content.every(isBlock) ? answer : undefined
  if (content !== undefined || structuredContent === undefined) return undefined
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], ...answer }
}

function kindOf(answer: unknown): string {
  if (answer === undefined || answer === null) return 'nothing'
  if (Array.isArray(answer)) return 'an array of other things'
  return isObject(answer) ? 'an object of other members' : `a ${typeof answer}`
}

function isBlock(block: unknown): boolean {
  return isObject(block) && typeof block.type === 'string'
}

async function checked(name: string, output: PreparedSchema, result: JsonObject): Promise<JsonObject> {
  if (result.isError === true) return result
  if (!Object.hasOwn(result, 'structuredContent'))
    return failure(`${name} declares an outputSchema but answered without structuredContent`)
  const fit = await output.fit(result.structuredContent)
  if (!('complaints' in fit)) return result
  return failure(`${name} broke its own outputSchema: ${fit.complaints.join('; ')}`)
}

function failure(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true }
}
