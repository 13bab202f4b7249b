export type { Inspect, InspectionObserver, Watching, WireEvent } from '../client/inspection/inspect.ts'
export { type Inspector, type InspectorOptions, serveInspector } from './serve.ts'
