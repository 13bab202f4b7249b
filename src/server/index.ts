export type { ThreadContext } from '../../workers/tool-context.ts'
export type { Root } from '../protocol/roots.ts'
export type { CreateMessageResult as SamplingResult } from '../protocol/sampling.ts'
export type { LoadedServer, LoadServerOptions } from './config/load-server.ts'
export type { HttpSection } from './config/read-http.ts'
export type { Caller } from './dispatch/caller.ts'
export { Cancellation } from './dispatch/cancellation.ts'
export type { Dispatcher, IncomingRequest } from './dispatch/dispatcher.ts'
export type { Exchange } from './dispatch/exchange.ts'
export type { ModernRequestOptions } from './dispatch/handle-modern-request.ts'
export { LegacySession } from './dispatch/legacy-session.ts'
export type { Reply } from './dispatch/reply.ts'
export type { Authorization, VerifiedToken } from './http/authorization/authorization.ts'
export type { HttpEndpointOptions, ServeHttpOptions } from './http/http-options.ts'
export {
  type EventStore,
  MemoryEventStore,
  type MemoryEventStoreOptions,
  type StreamEvent,
} from './http/legacy/event-store.ts'
export { type HttpServing, httpListener, serveHttp } from './http/serve-http.ts'
export { type WebHandler, webHandler } from './http/web-handler.ts'
export type { AskOptions, Elicitation, Questions, Sampling } from './input/context-questions.ts'
export { MemoryReplayStore, type ReplayStore } from './input/replay-store.ts'
export type { McpServerOptions } from './options.ts'
export type { ThreadHandler } from './pool/thread-handler.ts'
export type { ThreadOptions } from './pool/thread-options.ts'
export type { Completer, CompleterAnswer } from './registration/completer.ts'
export type {
  PromptAnswer,
  PromptArgumentDefinition,
  PromptDefinition,
  PromptHandler,
} from './registration/prompt.ts'
export type { GroupOptions, Registrar, Unregister } from './registration/registrar.ts'
export type {
  ResourceAnswer,
  ResourceDefinition,
  ResourceHandler,
  ResourceRequest,
  TemplateDefinition,
} from './registration/resource.ts'
export type { HandlerModule, ToolAnswer, ToolDefinition, ToolHandler } from './registration/tool.ts'
export type { PlugOptions, Toolkit, ToolkitWithOptions } from './registration/toolkit.ts'
export { currentRequest } from './request/current-request.ts'
export type { RequestContext } from './request/request-context.ts'
export type { Param, Params, ParamValues } from './schema/params.ts'
export type { StandardSchema } from './schema/standard-schema.ts'
export { type CreateOptions, McpServer } from './server.ts'
export { Conversation, type Messages } from './stdio/conversation.ts'
export { type ServeStdioOptions, serveStdio } from './stdio/serve-stdio.ts'
export type { TaskStart } from './tasks/call-with-task.ts'
export { MemoryTaskStore, type MemoryTaskStoreOptions } from './tasks/memory-task-store.ts'
export type { TaskOptions } from './tasks/task-options.ts'
export type { StoredTask, TaskStore } from './tasks/task-store.ts'
export type { TaskSupport } from './tasks/task-support.ts'
export { DecoratedToolkit } from './toolkits/decorated-toolkit.ts'
export {
  attribute,
  type DecoratedAttribute,
  type DecoratedPrompt,
  type DecoratedTool,
  type DecoratorOf,
  type MethodAnswer,
  prompt,
  resource,
  type ToolMethod,
  template,
  tool,
} from './toolkits/decorators.ts'
export type { ToolkitEntry } from './toolkits/load-toolkits.ts'
export { type ToolkitClass, toolkitFromConfig } from './toolkits/toolkit-class.ts'
