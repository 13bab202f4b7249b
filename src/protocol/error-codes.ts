/** JSON-RPC and MCP error codes. Source: basic, "Error codes"; schema 2026-07-28. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  /** Legacy only; received, never sent. */
  ResourceNotFound: -32002,
  /** Legacy only (2025-11-25). */
  UrlElicitationRequired: -32042,
  /** Legacy only: a person refused to sample. */
  SamplingRefused: -1,
} as const
