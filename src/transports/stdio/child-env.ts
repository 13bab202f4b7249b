/**
 * The environment of a server: `env` over what it inherits. On Windows names differ only in case are one variable, and
 * which of two would win is the system's choice: ours is the given one.
 */
export function childEnv(
  env: Readonly<Record<string, string>> = {},
  inherited: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Record<string, string> {
  const given = new Set(Object.keys(env).map((name) => name.toUpperCase()))
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    const isReplaced = platform === 'win32' && given.has(name.toUpperCase())
    if (value !== undefined && !isReplaced) result[name] = value
  }
  return { ...result, ...env }
}

/** PATH, under whatever case it has on Windows. */
export function searchPath(
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env.PATH
  return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1]
}
