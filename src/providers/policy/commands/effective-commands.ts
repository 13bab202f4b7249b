import { type EffectiveCommand, isReadable, unknownCommand, type Word } from './effective-command.ts'
import { escapesOf } from './escapes-of.ts'
import { runsElsewhere } from './find-escapes.ts'
import { type Launched, launched } from './launchers.ts'
import { foldedName } from './program.ts'
import { type Reading, readScript } from './read-script.ts'
import { isForeignShell, isShell, readShellInvocation } from './shell-invocation.ts'
import { isTameBuiltin } from './tame-expansion.ts'
import { unwrap } from './wrappers.ts'

const deepest = 8
/** A call that runs more is not looked through to its end. */
const mostCommands = 500

/** Where a command stands: its role, the shell that reads it, how deep, and what its output and input are. */
interface Place {
  readonly role: EffectiveCommand['role']
  readonly dialect: string
  readonly depth: number
  readonly writes: readonly Word[]
  readonly stdin?: Word
}

const top: Place = { role: 'run', dialect: 'sh', depth: 0, writes: [] }

/** Takes a script apart; a cache may stand in for it. */
export type ScriptReader = (text: string) => Reading

/**
 * Every command that a program and its arguments really run: through wrappers, shells, eval and substitutions. Never empty:
 * what cannot be read for certain is an unknown command.
 */
export function effectiveCommands(
  program: unknown,
  args: unknown,
  read: ScriptReader = readScript,
): readonly EffectiveCommand[] {
  const unfolder = new Unfolder(read)
  unfolder.unfoldCall(program, args)
  return unfolder.commands
}

class Unfolder {
  readonly #read: ScriptReader
  readonly #found: EffectiveCommand[] = []
  #movesAround = false

  constructor(read: ScriptReader) {
    this.#read = read
  }

  get commands(): readonly EffectiveCommand[] {
    const found = this.#found.length ? this.#found : [unknownCommand('')]
    return this.#movesAround ? found.map(withoutRelativeWrites) : found
  }

  unfoldCall(program: unknown, args: unknown): void {
    const words = argumentWords(args)
    if (typeof program !== 'string' || program.trim() === '') return this.#doubt(String(program ?? ''), top)
    if (!mayBeScript(program)) {
      this.#unfold([program, ...words], top)
      if (words.length) return
      // To a shell the same word is another; on Windows it may be several.
      if (program.includes('\\') && !hasDrive(program)) this.#unfoldScript(program, top)
      if (hasDrive(program) && /\s/.test(program)) this.#doubt(program, top)
      return
    }
    // Many servers take a whole line as their command; with arguments beside it nobody knows how they join.
    if (words.length) return this.#doubt(program, top)
    this.#unfoldScript(program, top)
  }

  #unfold(words: readonly Word[], place: Place): void {
    const [program, ...args] = words
    if (program === undefined || this.#found.length > mostCommands) return
    if (place.depth > deepest || !isReadable(program)) return this.#add(words, place)
    const name = foldedName(program)
    const wrapped = unwrap(name, args)
    if (wrapped !== undefined && wrapped.length > 0) return this.#unfoldWrapped(words, wrapped, place)
    if (isShell(name)) return this.#unfoldShell(name, words, place)
    if (name === 'eval') return this.#unfoldEval(words, place)
    this.#add(words, place)
    if (/^(?:cd|pushd|popd|chdir)$/.test(name) || (name === 'find' && runsElsewhere(args)))
      this.#movesAround = true
    if (name === 'trap') this.#unfoldTrap(args, place)
    // A shell that reads its script from its input reads on there.
    if (name === 'exec' && place.stdin !== undefined)
      this.#unfoldWord(place.stdin, { ...place, depth: place.depth + 1 })
    if (!isTameBuiltin(name, args)) this.#doubt(name, place)
    if (isForeignShell(name)) this.#doubt(name, { ...place, role: 'passing' })
    this.#unfoldLaunched(launched(name, args), { ...place, role: 'passing' })
    const escapes = escapesOf(name, args)
    for (const inner of escapes.certain) this.#unfoldLaunched(inner, place)
    if (escapes.possible && place.role === 'run') this.#doubt(name, { ...place, role: 'possible' })
  }

  #unfoldWrapped(words: readonly Word[], inner: Exclude<Launched, undefined>, place: Place): void {
    this.#add(words, { ...place, role: 'passing' })
    this.#unfoldLaunched(inner, place)
  }

  #unfoldLaunched(inner: Launched | undefined, place: Place): void {
    if (inner === 'unknown') this.#doubt('', place)
    else if (inner) this.#unfold(inner, { ...place, depth: place.depth + 1 })
  }

  #unfoldShell(dialect: string, words: readonly Word[], place: Place): void {
    const invocation = readShellInvocation(words.slice(1))
    if (invocation.kind === 'file') return this.#add(words, place)
    const within = { ...place, dialect, depth: place.depth + 1 }
    const scripts = invocation.kind === 'payload' ? invocation.scripts : [place.stdin]
    const isReadAll = invocation.kind !== 'unknown' && scripts.every(isReadable)
    this.#add(words, { ...place, role: isReadAll ? 'passing' : 'run' })
    for (const script of scripts) this.#unfoldWord(isReadAll ? script : undefined, within)
  }

  #unfoldEval(words: readonly Word[], place: Place): void {
    this.#add(words, { ...place, role: 'passing' })
    const args = words.slice(words[1] === '--' ? 2 : 1)
    this.#unfoldWord(args.every(isReadable) ? args.join(' ') : undefined, {
      ...place,
      depth: place.depth + 1,
    })
  }

  #unfoldTrap(args: readonly Word[], place: Place): void {
    const action = args[0] === '--' ? args[1] : args[0]
    if (action !== undefined && action !== '-') this.#unfoldWord(action, { ...place, depth: place.depth + 1 })
  }

  #unfoldWord(script: Word | undefined, place: Place): void {
    if (isReadable(script)) this.#unfoldScript(script, place)
    else this.#doubt(script?.source ?? '', place)
  }

  #unfoldScript(text: string, place: Place): void {
    if (place.depth > deepest) return this.#doubt(text, place)
    const { commands, doubts, doubtsOutsideBash } = this.#read(text)
    const { stdin: outer, ...rest } = place
    for (const { words, writes, stdin } of commands) {
      // Of several commands nobody can say which reads how much of it, or what another writes.
      const fed = stdin ?? (commands.length > 1 ? outer && { source: '(input of several)' } : outer)
      this.#unfold(words, {
        ...rest,
        writes: [...place.writes, ...writes],
        ...(fed !== undefined && { stdin: fed }),
      })
    }
    const isBash = /^r?bash$/.test(place.dialect)
    const isDoubtful = doubts.length > 0 || (!isBash && doubtsOutsideBash.length > 0)
    if (isDoubtful || !isCommonGround(text, place.dialect) || !commands.length) this.#doubt(text, place)
  }

  #add([program = '', ...args]: readonly Word[], { writes, role }: Place): void {
    this.#found.push({ program, args, writes, role })
    if (this.#found.length === mostCommands) this.#found.push(unknownCommand('…'))
  }

  #doubt(source: string, { writes, role }: Place): void {
    if (this.#found.length <= mostCommands) this.#found.push({ ...unknownCommand(source, role), writes })
  }
}

function argumentWords(args: unknown): readonly Word[] {
  if (args === undefined) return []
  if (!Array.isArray(args)) return [{ source: String(args) }]
  return args.map((word) => (typeof word === 'string' ? word : { source: String(word) }))
}

/** A program's path may hold backslashes, on Windows blanks too. */
function mayBeScript(program: string): boolean {
  if (hasDrive(program) && !/[;&|<>"'`$*?\n]/.test(program)) return false
  return /[\s;&|<>()$`'"*?[\]{}~#]/.test(program) || /^\w+\+?=/.test(program)
}

function hasDrive(program: string): boolean {
  return /^[A-Za-z]:\\/.test(program)
}

/** What the parser, which knows bash, reads as these shells do. */
function isCommonGround(text: string, dialect: string): boolean {
  return !/^(?:zsh|ksh93|ksh|mksh|lksh|yash)$/.test(dialect) || /^[\w\s.,:;@%+=/&|>"'-]*$/.test(text)
}

/** After a change of directory they are anywhere. */
function withoutRelativeWrites(command: EffectiveCommand): EffectiveCommand {
  const writes = command.writes.map((write) =>
    isReadable(write) && !write.startsWith('/') ? { source: write } : write,
  )
  return { ...command, writes }
}
