import { couldBeOption } from './could-be-option.ts'
import { isReadable, type Word } from './effective-command.ts'
import { type Escapes, escapes, escapesNothing, mayEscape } from './escapes.ts'

/** What scripts of sed run: one that is not of the plain commands everybody writes may. */
export function sedEscapes(args: readonly Word[]): Escapes {
  const { scripts, isSure } = scriptsOf(args)
  const strange = scripts.filter((script) => !isReadable(script) || !isTame(script))
  if (strange.some((script) => isReadable(script) && mayExecute(script))) return escapes
  return isSure && strange.length === 0 ? escapesNothing : mayEscape
}

/** `isSure`: no other word is a script, or the file of one. */
function scriptsOf(args: readonly Word[]): { readonly scripts: readonly Word[]; readonly isSure: boolean } {
  const scripts: Word[] = []
  const operands: Word[] = []
  let isSure = true
  const words = args.values()
  for (const word of words) {
    const option = isReadable(word) && word.startsWith('-') ? word : undefined
    const [, expression] = /^(?:-[nErsuz]*e|--expression(?:=|$))(.*)$/s.exec(option ?? '') ?? []
    if (word === '--') operands.push(...words)
    else if (expression) scripts.push(expression)
    else if (expression === '') scripts.push(words.next().value ?? '')
    else if (option === undefined) operands.push(word)
    else isSure &&= harmless.test(option)
  }
  const [first, ...files] = operands
  if (scripts.length > 0) return { scripts, isSure: isSure && !operands.some(couldBeOption) }
  return { scripts: first === undefined ? [] : [first], isSure: isSure && !files.some(couldBeOption) }
}

const harmless =
  /^(?:-[nErsuz]*(?:i.*)?|--(?:quiet|silent|regexp-extended|in-place(?:=.*)?|separate|unbuffered|null-data|posix|sandbox))$/

/** `e` as a command, or as a flag of `s`, wherever a line of sed may have it. */
function mayExecute(script: string): boolean {
  return /(?:^|[^A-Za-z\\])[gpiImMw\d]*e[gpiImMw\d]*(?![A-Za-z])/.test(script)
}

const longest = 4096
const gap = /[\s;{}]*/y
const address = String.raw`(?:\d+(?:~\d+)?|\$|\+\d+|/(?:[^/\\\n[]|\\[^\n]|\[[^\]/\n]*\])*/I?)`
const substitutions = [...'/|,#@:;%!'].flatMap((mark) => {
  const pattern = String.raw`(?:[^${mark}\\\n[]|\\[^\n]|\[[^\]${mark}\n]*\])*`
  const text = String.raw`(?:[^${mark}\\\n]|\\[^\n])*`
  const by = `\\${mark}`
  return [`s${by}${pattern}${by}${text}${by}[gpiIM\\d]*`, `y${by}${text}${by}${text}${by}`]
})
const command = new RegExp(
  String.raw`(?:${address}(?:\s*,\s*${address})?)?\s*!?\s*(?:\{|[pdDPnNgGhHx=lqQ]|:\s*\w+|[btT]\s*\w*|[aic][^\n\\]*|${substitutions.join('|')})`,
  'y',
)

/** Whether it only looks for, changes, prints and drops lines. */
function isTame(script: string): boolean {
  if (script.length > longest) return false
  let at = skip(gap, script, 0) ?? 0
  while (at < script.length) {
    const end = skip(command, script, at)
    if (end === undefined) return false
    at = skip(gap, script, end) ?? end
  }
  return true
}

function skip(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
