export type { AcquireRefusal, Conflict, Lease, PinRefusal } from '../machines/index.ts'
export type { ConnectionSnapshot, ConnectionState, Trace } from '../workers/frames.ts'
export type { Answer } from './answer.ts'
export type {
  AssertionSource,
  AuthGrant,
  AuthOptions,
  ClientAuthenticationMethod,
  ClientKey,
  ClientMetadata,
  EnterpriseGrant,
  OnRedirect,
} from './auth/auth-options.ts'
export {
  callsFrom,
  declarationsFrom,
  type FormatName,
  type FormatOptions,
  type FormatShapes,
  resultsFor,
  resultsFrom,
  toolsFor,
  type VendorTools,
} from './bridge/formats/formats.ts'
export type { NameTable } from './bridge/formats/names.ts'
export type {
  CallProgress,
  CatalogueEvent,
  ChildEvent,
  ChildState,
  ExecuteOptions,
  Provider,
  ProviderEventMap,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from './bridge/provider.ts'
export type { CallOptions, ListOptions, ReadOptions } from './client/call-options.ts'
export { McpClient } from './client/client.ts'
export {
  type ConnectionActorEvent,
  type ConnectionActorSnapshot,
  connectionActor,
} from './client/connection-actor.ts'
export type { Hook, HookContext, Hooks } from './client/hooks.ts'
export type { Inspect, InspectionObserver, Watching, WireEvent } from './client/inspection/inspect.ts'
export type { ClientOptions, HttpClientOptions, StdioClientOptions } from './client/options.ts'
export type { ProbeReport } from './client/probe-report.ts'
export type { Subscription } from './client/subscription.ts'
export type { Config, ConfiguredServer, ServerSpec, Settings, Supervision } from './config/config.ts'
export { findConfig } from './config/find-config.ts'
export { loadConfig } from './config/load-config.ts'
export * from './errors.ts'
export type { ClientCapabilities, ServerCapabilities } from './protocol/capabilities.ts'
export type { Completion, CompletionArgument, CompletionReference } from './protocol/completion.ts'
export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  Role,
  TextContent,
} from './protocol/content.ts'
export type {
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
} from './protocol/elicitation.ts'
export type { Icon, Implementation } from './protocol/implementation.ts'
export type { InputRequest } from './protocol/input-requests.ts'
export type { JsonObject, Notification } from './protocol/json-rpc.ts'
export type { LoggingLevel, LogMessage } from './protocol/logging.ts'
export type { Progress, ProgressToken } from './protocol/progress.ts'
export type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from './protocol/prompts.ts'
export type { ReadResourceResult, Resource, ResourceTemplate } from './protocol/resources.ts'
export type { ListRootsRequest, ListRootsResult, Root } from './protocol/roots.ts'
export type {
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from './protocol/sampling.ts'
export type { SubscriptionFilter } from './protocol/subscriptions.ts'
export type { Task, TaskStatus } from './protocol/tasks.ts'
export type { CallToolResult, Tool, ToolAnnotations } from './protocol/tools.ts'
export type { Era } from './protocol/versions.ts'
export { type GuardFloor, type GuardOptions, guard } from './providers/guard.ts'
export { LeaseTable, type LeaseTableOptions } from './providers/leases/lease-table.ts'
export { Leases } from './providers/leases/leases.ts'
export type { LeasesOptions, LeaseWait } from './providers/leases/leases-options.ts'
export type {
  AcquireOptions,
  AcquireOutcome,
  AcquireRequest,
  LeaseSnapshot,
  LeaseStatus,
  Leasing,
  PinOutcome,
  PinRequest,
  ReleaseOutcome,
  ReleaseRequest,
  WaiterSnapshot,
} from './providers/leases/leasing.ts'
export type { RemoteLeaseTable, RemoteLeaseTableOptions } from './providers/leases/remote-lease-table.ts'
export type {
  AskContext,
  AskRequest,
  ElicitationRequest,
  GrantedRule,
  OnAsk,
  PermissionAnswer,
  PermissionRequest,
} from './providers/policy/ask.ts'
export type { EffectiveCommand, Unreadable, Word } from './providers/policy/commands/effective-command.ts'
export type { Check, Evaluating, EvaluationOptions } from './providers/policy/evaluation-options.ts'
export { type Explanation, explain } from './providers/policy/explain.ts'
export { dangerFloor, type FloorOptions, floorChecks } from './providers/policy/floor/danger-floor.ts'
export { Grants, type GrantsOptions } from './providers/policy/grants.ts'
export { GrantsFile, type GrantsFileOptions } from './providers/policy/grants-file.ts'
export {
  type ImportedRules,
  type ImportNote,
  type ImportOptions,
  importRules,
} from './providers/policy/import/import-rules.ts'
export { Policy } from './providers/policy/policy.ts'
export type { PolicyOptions } from './providers/policy/policy-options.ts'
export type { Decision, Rule } from './providers/policy/rule.ts'
export { type Evaluation, evaluate, type RuleAnswer } from './providers/policy/rule-set.ts'
export type { Suggestion } from './providers/policy/suggestion.ts'
export { Reasons, type ReasonsOptions, reasonParam } from './providers/reasons.ts'
export type { FromConfigOptions } from './providers/registry/from-config.ts'
export type {
  EntryOptions,
  HttpServer,
  RegistryOptions,
  ServerOptions,
  StdioServer,
  SupervisionOptions,
} from './providers/registry/options.ts'
export { Registry } from './providers/registry/registry.ts'
export type { ProviderStatus } from './providers/registry/status.ts'
export { UnknownKeys, type UnknownKeysOptions, type UnknownKeysWarning } from './providers/unknown-keys.ts'
