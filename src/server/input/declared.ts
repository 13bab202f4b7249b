import { ProtocolError } from '../../errors.ts'
import {
  type ClientCapabilities,
  declaresElicitation,
  declaresSampling,
} from '../../protocol/capabilities.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

/** The capabilities a question needs and the client did not declare; undefined when it may be asked. */
export function missingCapabilities(
  method: string,
  params: JsonObject,
  declared: ClientCapabilities,
): ClientCapabilities | undefined {
  switch (method) {
    case 'elicitation/create':
      if (declaresElicitation(declared, params.mode)) return undefined
      return { elicitation: params.mode === 'url' ? { url: {} } : { form: {} } }
    case 'sampling/createMessage':
      if (declaresSampling(declared, params.tools)) return undefined
      return { sampling: params.tools === undefined ? {} : { tools: {} } }
    default:
      return declared.roots === undefined ? { roots: {} } : undefined
  }
}

/** What a client is answered that did not declare what is needed. */
export function undeclared(what: string, requiredCapabilities: ClientCapabilities): ProtocolError {
  return new ProtocolError({
    code: ErrorCode.MissingRequiredClientCapability,
    message: `The client did not declare what ${what} needs`,
    data: { requiredCapabilities },
  })
}
