/** Whether a file's owner (`uid`) is us, or the system. Windows has no such numbers. */
export function isTrustedOwner(owner: number): boolean {
  const us = process.getuid?.()
  return us === undefined || owner === us || owner === 0
}
