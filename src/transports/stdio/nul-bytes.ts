/** Names the first of the four that holds a NUL byte, which the system would cut the string at; never shows a value. */
export function findNulByte(options: {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}): string | undefined {
  if (options.command.includes('\0')) return 'command'
  const arg = (options.args ?? []).findIndex((value) => value.includes('\0'))
  if (arg !== -1) return `args[${arg}]`
  const variable = Object.entries(options.env ?? {}).find((entry) =>
    entry.some((text) => text.includes('\0')),
  )
  if (variable) return `env[${JSON.stringify(variable[0])}]`
  return options.cwd?.includes('\0') ? 'cwd' : undefined
}
