/** What a program is compared by: its name without folder and extension. */
export function basename(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1)
  return name.replace(/(?<=.)\.(?:exe|com|bat|cmd)$/i, '')
}

/** For recognising it: on some disks `RM` is `rm`. */
export function foldedName(program: string): string {
  return basename(program).toLowerCase()
}
