/** Whether a stranger's URL is what a person takes it for: printable as it stands, and without a name before its host. */
export function isPlainUrl(text: string): boolean {
  if (text.length > longest || !printable.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const longest = 2_000
const printable = /^[\x21-\x7e]+$/
