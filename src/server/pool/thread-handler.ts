import type { ThreadContext } from '../../../workers/tool-context.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { ToolAnswer } from '../registration/tool.ts'

/** What a handler's module exports. Arguments are structured clones of what fits the schema; the answer is JSON. */
export type ThreadHandler<Arguments = JsonObject> = (
  args: Arguments,
  context: ThreadContext,
) => ToolAnswer | Promise<ToolAnswer>
