import { Interruption } from './io.ts'

export const ExitCode = {
  ok: 0,
  usage: 1,
  unreachable: 2,
  unauthorized: 3,
  protocol: 4,
  toolFailed: 5,
  refused: 6,
  fault: 70,
} as const

/** As `--help` shows it. */
export const exitCodeTable = [
  [ExitCode.ok, 'all went well'],
  [ExitCode.usage, 'the command line is wrong, or a file cannot be read or written'],
  [ExitCode.unreachable, 'the server did not start, died, hung up or took too long'],
  [ExitCode.unauthorized, 'the server wants authorization first'],
  [ExitCode.protocol, 'the server answered with an error, or broke the protocol'],
  [ExitCode.toolFailed, 'the tool was called and says it failed'],
  [ExitCode.refused, 'the tool was not called: rules or you refused it'],
  [ExitCode.fault, 'a fault of troupe itself'],
  [130, 'interrupted (128 + the number of the signal)'],
] as const

/** By name: errors keep theirs, wherever they come from. */
const codeOf: { readonly [errorName: string]: number } = {
  UsageError: ExitCode.usage,
  ConfigError: ExitCode.usage,
  CallRefusedError: ExitCode.refused,
  SpawnFailedError: ExitCode.unreachable,
  ServerGoneError: ExitCode.unreachable,
  TransportClosedError: ExitCode.unreachable,
  TimeoutError: ExitCode.unreachable,
  ServerDownError: ExitCode.unreachable,
  ProviderFailedError: ExitCode.unreachable,
  HttpError: ExitCode.unreachable,
  AuthorizationError: ExitCode.unauthorized,
  ProtocolError: ExitCode.protocol,
  InvalidResultError: ExitCode.protocol,
  UnsupportedVersionError: ExitCode.protocol,
  InputLoopExceededError: ExitCode.protocol,
  MessageTooLargeError: ExitCode.protocol,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interruption) return error.exitCode
  return (error instanceof Error && codeOf[error.name]) || ExitCode.fault
}
