import { ConfigError } from '../../errors.ts'
import type { Params, ParamValues } from '../schema/params.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import type { PromptDefinition, PromptHandler } from './prompt.ts'
import type { ResourceDefinition, ResourceHandler, TemplateDefinition } from './resource.ts'
import type { HandlerModule, ToolDefinition, ToolHandler } from './tool.ts'

/** Takes away what was registered; clients that asked to be told are told. */
export type Unregister = () => void

/** What a server offers is registered here; each method throws a ConfigError that names what is wrong. */
export interface Registrar {
  /** `name`: 1 to 128 of `A-Za-z0-9_.-`. Handlers get arguments that fit: what does not is answered with what is wrong. */
  tool<const Given extends Params>(
    name: string,
    definition: ToolDefinition & { readonly params: Given },
    handler: ToolHandler<ParamValues<Given>> | HandlerModule,
  ): Unregister
  tool<Output>(
    name: string,
    definition: ToolDefinition & { readonly inputSchema: StandardSchema<unknown, Output> },
    handler: ToolHandler<Output> | HandlerModule,
  ): Unregister
  tool(name: string, definition: ToolDefinition, handler: ToolHandler | HandlerModule): Unregister
  resource(uri: string, definition: ResourceDefinition, handler: ResourceHandler): Unregister
  /** `uriTemplate` is RFC 6570, with single values only. */
  template(uriTemplate: string, definition: TemplateDefinition, handler: ResourceHandler): Unregister
  prompt(name: string, definition: PromptDefinition, handler: PromptHandler): Unregister
  /** Registers under a prefix: tools and prompts as `prefix_name`, URIs with the prefix as the first segment of their path. */
  group(prefix: string, register: (group: Registrar) => void, options?: GroupOptions): void
  /** Tells who subscribed to it that a resource, or something below its URI, has other content now; `uri` as it was registered here. */
  resourceUpdated(uri: string): void
}

export interface GroupOptions {
  /** Between prefix and name; default `_`. */
  readonly separator?: string
}

/** The same registrar under a prefix. */
export function prefixed(
  inner: Registrar,
  prefix: string,
  { separator = '_' }: GroupOptions = {},
): Registrar {
  if (typeof prefix !== 'string' || !/^[A-Za-z0-9_.-]+$/.test(prefix))
    throw new ConfigError({ path: ['group'], reason: 'prefixes are characters of A-Z a-z 0-9 _ . -' })
  if (!/^[_.-]+$/.test(separator))
    throw new ConfigError({ path: ['group', 'separator'], reason: 'must be of the characters _ . -' })
  const named = (name: string) => `${prefix}${separator}${name}`
  const group: Registrar = {
    tool: (name: string, definition: ToolDefinition, handler: ToolHandler<never> | HandlerModule) =>
      inner.tool(named(name), definition, handler as ToolHandler),
    prompt: (name, definition, handler) => inner.prompt(named(name), definition, handler),
    resource: (uri, definition, handler) => inner.resource(prefixedUri(uri, prefix), definition, handler),
    template: (uri, definition, handler) => inner.template(prefixedUri(uri, prefix), definition, handler),
    group: (deeper, register, options) => register(prefixed(group, deeper, options)),
    resourceUpdated: (uri) => inner.resourceUpdated(prefixedUri(uri, prefix)),
  }
  return group
}

/** `scheme://path` becomes `scheme://prefix/path`. */
function prefixedUri(uri: string, prefix: string): string {
  const [scheme] = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/)?/.exec(uri) ?? ['']
  return `${scheme}${prefix}/${uri.slice(scheme.length).replace(/^\/+/, '')}`
}
