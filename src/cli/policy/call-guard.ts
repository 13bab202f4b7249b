import { declarationOf } from '../../bridge/declaration.ts'
import type { ToolDeclaration } from '../../bridge/provider.ts'
import { publishedNames } from '../../bridge/tool-names.ts'
import type { ClientOptions } from '../../client/options.ts'
import { type Config, prefixOf } from '../../config/config.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Tool } from '../../protocol/tools.ts'
import { allDeclaredArguments } from '../../providers/declared-arguments.ts'
import type { OnAsk } from '../../providers/policy/ask.ts'
import { explain } from '../../providers/policy/explain.ts'
import { GrantsFile } from '../../providers/policy/grants-file.ts'
import type { Policy } from '../../providers/policy/policy.ts'
import type { PolicyOptions } from '../../providers/policy/policy-options.ts'
import type { Invocation } from '../invocation.ts'
import { CallRefusedError } from '../refused-error.ts'
import { askable, askingPolicy } from './asking-policy.ts'
import { refusalReason } from './refusal-reason.ts'
import { type StandingPolicy, standingPolicy } from './standing-policy.ts'

/**
 * Keeps a call that is typed at a shell to the rules of its configuration. Without rules all is allowed but what is dangerous; unless
 * there is a person to ask, who is asked then.
 */
export class CallGuard implements AsyncDisposable {
  /** For the client, where there is a person to answer servers. */
  readonly hooks: Pick<ClientOptions, 'onElicit' | 'clientCapabilities'>
  readonly #invocation: Invocation
  readonly #policy: StandingPolicy
  readonly #grants: GrantsFile | undefined
  readonly #asking: Policy | undefined
  /** What the policy is asked about. */
  #tools: readonly ToolDeclaration[] = []

  /** @throws ConfigError for rules or grants that cannot be used */
  static async open(invocation: Invocation, onAsk: OnAsk | undefined): Promise<CallGuard> {
    const { config = unconfigured, io } = invocation
    const policy = standingPolicy(config, onAsk ? undefined : [{ tool: '*', decision: 'allow' }])
    const { grantsFile } = config.settings
    const onWarn = (message: string) => io.err.write(`warning: ${message}\n`)
    const grants = grantsFile === undefined ? undefined : await GrantsFile.open(grantsFile, { onWarn })
    return new CallGuard(invocation, policy, grants, onAsk && { onAsk, onWarn })
  }

  private constructor(
    invocation: Invocation,
    policy: StandingPolicy,
    grants: GrantsFile | undefined,
    asking: Pick<PolicyOptions, 'onAsk' | 'onWarn'> | undefined,
  ) {
    this.#invocation = invocation
    this.#policy = policy
    this.#grants = grants
    const store = grants && { grantsStore: grants.grants }
    this.#asking = asking && askingPolicy(policy, { ...asking, ...store }, () => this.#tools)
    const configured = invocation.server?.client.clientCapabilities
    this.hooks = this.#asking
      ? { onElicit: elicitHookOf(this.#asking), clientCapabilities: { ...configured, ...askable } }
      : {}
  }

  /** `tools` are all the server has. @throws CallRefusedError when the call may not be made */
  async permit(own: Tool, args: JsonObject, tools: readonly Tool[], signal: AbortSignal): Promise<void> {
    const tool = this.#published(own, tools)
    const { config } = this.#invocation
    const grants = this.#grants?.grants.grants ?? []
    const declared = () => allDeclaredArguments(own.inputSchema)
    const explanation = explain({ ...this.#policy, grants, declared }, tool, args)
    const { decision } = explanation
    if (decision === 'allow') return
    this.#tools = [declarationOf(own, tool)]
    const isAsked = decision === 'ask' && this.#asking !== undefined
    if (isAsked && (await this.#isAllowed(tool, args, signal))) return
    throw new CallRefusedError({ tool, reason: refusalReason(explanation, config, isAsked) })
  }

  /** When what was granted is saved. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#grants?.[Symbol.asyncDispose]()
  }

  async #isAllowed(tool: string, args: JsonObject, signal: AbortSignal): Promise<boolean> {
    const call = { id: 'call', function: { name: tool, arguments: args } }
    await this.#asking?.toolsForLlm()
    const [result] = (await this.#asking?.executeToolCalls([call], { signal })) ?? []
    signal.throwIfAborted()
    return result?.is_error === false
  }

  /** What rules call it: its name in a registry. */
  #published({ name: own }: Tool, tools: readonly Tool[]): string {
    const { server } = this.#invocation
    const keys = tools.map(({ name }) => ({ name, prefix: server ? prefixOf(server) : '' }))
    const published = [...publishedNames(keys, server ? '_' : '')]
    return published.find(([, key]) => key.name === own)?.[0] ?? own
  }
}

function elicitHookOf(policy: Policy): NonNullable<ClientOptions['onElicit']> {
  return (request, context) => policy.elicitHook({ ...request }, context)
}

const unconfigured: Pick<Config, 'settings' | 'files'> = { settings: { floor: true }, files: [] }
