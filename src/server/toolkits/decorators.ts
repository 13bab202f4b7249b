import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { PromptDefinition, PromptHandler } from '../registration/prompt.ts'
import type { Registrar } from '../registration/registrar.ts'
import type { ResourceDefinition, ResourceHandler, TemplateDefinition } from '../registration/resource.ts'
import type { ToolAnswer, ToolDefinition } from '../registration/tool.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { Params, ParamValues } from '../schema/params.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import { type DecoratedToolkit, declareOn } from './decorated-toolkit.ts'

export interface DecoratedTool extends ToolDefinition {
  /** Default the method's own. */
  readonly name?: string
}

export interface DecoratedAttribute
  extends Pick<DecoratedTool, 'name' | 'title' | 'description' | 'icons' | 'meta'> {}

export interface DecoratedPrompt extends PromptDefinition {
  /** Default the method's own. */
  readonly name?: string
}

/** Of methods of that type; which object they belong to, the class says. */
export type DecoratorOf<Method> = <This extends DecoratedToolkit>(
  method: Method,
  context: ClassMethodDecoratorContext<This>,
) => void

/** Numbers and truth values are written out; the rest is as of any handler. */
export type ToolMethod<Arguments> = (
  args: Arguments,
  context: RequestContext,
) => MethodAnswer | Promise<MethodAnswer>

export type MethodAnswer = ToolAnswer | number | boolean

/** The method is a tool. Its types are gone when it runs: `params` or `inputSchema` say what it takes; default nothing. */
export function tool<const Given extends Params>(
  definition: DecoratedTool & { readonly params: Given },
): DecoratorOf<ToolMethod<ParamValues<Given>>>
export function tool<Output>(
  definition: DecoratedTool & { readonly inputSchema: StandardSchema<unknown, Output> },
): DecoratorOf<ToolMethod<Output>>
export function tool(definition?: DecoratedTool): DecoratorOf<ToolMethod<JsonObject>>
export function tool({ name, ...definition }: DecoratedTool = {}): DecoratorOf<ToolMethod<never>> {
  return (_, context) =>
    decorate(context, 'tool', (registrar, call) => {
      const answer = async (args: JsonObject, request: RequestContext) => written(await call(args, request))
      registrar.tool(name ?? String(context.name), definition, answer)
    })
}

/** The attribute, or getter, is a tool that takes nothing and tells its value: a string as it is, all else as JSON. */
export function attribute({
  name,
  ...definition
}: DecoratedAttribute = {}): <This extends DecoratedToolkit>(
  value: unknown,
  context:
    | ClassFieldDecoratorContext<This>
    | ClassGetterDecoratorContext<This>
    | ClassAccessorDecoratorContext<This>,
) => void {
  return (_, context) => {
    const { access } = context
    const member = String(context.name)
    context.addInitializer(function () {
      declareOn(this, `attribute ${member}`, (registrar) => {
        const annotations = { readOnlyHint: true, idempotentHint: true }
        registrar.tool(name ?? member, { ...definition, annotations }, () => told(access.get(this)))
      })
    })
  }
}

/** The method answers who reads a resource. */
export function resource(uri: string, definition: ResourceDefinition): DecoratorOf<ResourceHandler> {
  return (_, context) =>
    decorate(context, 'resource', (registrar, call) => registrar.resource(uri, definition, call))
}

/** The method answers who reads a resource whose URI fits. */
export function template(uriTemplate: string, definition: TemplateDefinition): DecoratorOf<ResourceHandler> {
  return (_, context) =>
    decorate(context, 'template', (registrar, call) => registrar.template(uriTemplate, definition, call))
}

/** The method is a prompt. */
export function prompt({ name, ...definition }: DecoratedPrompt = {}): DecoratorOf<PromptHandler> {
  return (_, context) =>
    decorate(context, 'prompt', (registrar, call) =>
      registrar.prompt(name ?? String(context.name), definition, call),
    )
}

/** Calls what stands under the member's name by then: maybe the method of a class below. */
type Call = (...args: readonly unknown[]) => never

function decorate<This extends DecoratedToolkit>(
  context: ClassMethodDecoratorContext<This>,
  kind: string,
  register: (registrar: Registrar, call: Call) => void,
): void {
  const { access, name } = context
  context.addInitializer(function () {
    const call: Call = (...args) => access.get(this).call(this, ...args) as never
    declareOn(this, `${kind} ${String(name)}`, (registrar) => register(registrar, call))
  })
}

function written(answer: MethodAnswer): ToolAnswer {
  return typeof answer === 'number' || typeof answer === 'boolean' ? String(answer) : answer
}

function told(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
