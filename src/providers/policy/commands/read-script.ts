import { forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash'
import { print } from 'unbash/printer'
import type { Word } from './effective-command.ts'
import { isHazardousName } from './hazardous-names.ts'
import { readWord } from './read-word.ts'
import { readRedirections } from './redirections.ts'
import { isTameArithmetic, isTameExpansion, isTameTest } from './tame-expansion.ts'

/** A simple command as it is written. */
export interface WrittenCommand {
  /** The program and its arguments. */
  readonly words: readonly Word[]
  readonly writes: readonly Word[]
  readonly stdin?: Word
}

/** Every simple command of a script, wherever in it. */
export interface Reading {
  readonly commands: readonly WrittenCommand[]
  /** The places where more may happen than the commands show. */
  readonly doubts: readonly string[]
  /** Those that bash alone reads for certain. */
  readonly doubtsOutsideBash: readonly string[]
}

const longestScript = 65_536
/** Substitutions in substitutions take the parser longer than they are worth. */
const mostSubstitutions = 200

/** Where the output of everything within goes, and what it is fed where that is not what the whole script is. */
interface Flow {
  readonly writes: readonly Word[]
  readonly stdin?: Word
}

/** Reads a script with a parser of bash. What the parser complains about, or reads otherwise the second time, is a doubt. */
export function readScript(text: string): Reading {
  if (text.length > longestScript || hasOddCharacters(text) || isOverloaded(text)) return nothingBut(text)
  try {
    const script = parse(text)
    const reading = read(script)
    if (reading.doubts.length > 0) return reading
    const again = read(parse(print(script)))
    return JSON.stringify(reading) === JSON.stringify(again) ? reading : withDoubt(reading, text)
  } catch {
    return nothingBut(text)
  }
}

function isOverloaded(text: string): boolean {
  const openings = text.match(/`|[$<>(]\(|\$[{[]|<<|\[\[/g) ?? []
  return openings.length > mostSubstitutions
}

/** Controls, and blanks that one shell splits at and another does not. */
function hasOddCharacters(text: string): boolean {
  return /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u.test(text)
}

function read(script: SyntaxNode): Reading {
  const reader = new Reader()
  reader.visit(script, { writes: [] })
  return { commands: reader.commands, doubts: reader.doubts, doubtsOutsideBash: reader.doubtsOutsideBash }
}

class Reader {
  readonly commands: WrittenCommand[] = []
  readonly doubts: string[] = []
  readonly doubtsOutsideBash: string[] = []

  visit(node: SyntaxNode, flow: Flow): void {
    if (!this.#isCertain(node)) this.doubts.push(node.type)
    if (node.type === 'Command') {
      const words = [...(node.name ? [node.name] : []), ...node.args].map(readWord)
      this.#add(words, node.redirects, flow)
    }
    if (node.type === 'Redirected') return this.#visitRedirected(node.command, node.redirects, flow)
    forEachChild(node, (child) => this.visit(child, flow))
  }

  #visitRedirected(command: SyntaxNode, redirects: readonly Redirection[], flow: Flow): void {
    const before = this.commands.length
    const { writes, stdin } = readRedirections(redirects)
    // Who of them reads how much of it, nobody can say.
    const within = stdin === undefined ? flow : { ...flow, stdin: { source: '(input of several)' } }
    this.visit(command, { ...within, writes: [...flow.writes, ...writes] })
    if (this.commands.length === before) this.#add([], redirects, flow)
    for (const redirect of redirects) this.visit(redirect, flow)
  }

  #add(words: readonly Word[], redirects: readonly Redirection[], flow: Flow): void {
    const { writes, stdin = flow.stdin } = readRedirections(redirects)
    const all = [...flow.writes, ...writes]
    if (words.length) this.commands.push({ words, writes: all, ...(stdin !== undefined && { stdin }) })
    // Some shells copy what they are fed without a command.
    else if (all.length || stdin !== undefined) this.commands.push({ words: [{ source: '>' }], writes: all })
  }

  #isCertain(node: SyntaxNode): boolean {
    switch (node.type) {
      case 'Script':
        return !('errors' in node && node.errors?.length)
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        return node.script !== undefined
      case 'ArithmeticExpansion':
        return node.expression !== undefined
      case 'ArithmeticCommand':
        this.doubtsOutsideBash.push(node.type)
        return node.expression !== undefined
      case 'ParameterExpansion':
        return isTameExpansion(node)
      case 'ArithmeticWord':
        return isTameArithmetic(node)
      case 'TestCommand':
        this.doubtsOutsideBash.push(node.type)
        return true
      case 'TestUnary':
      case 'TestBinary':
        return isTameTest(node)
      case 'Assignment':
        return !isHazardousName(node.name) && (!node.index || /^\d+$/.test(node.index.text))
      case 'For':
      case 'Select':
        return !isHazardousName(node.name.text)
      case 'HereDoc':
        return node.closing !== undefined
      case 'AnsiCQuoted':
        return !node.text.includes("\\'")
      case 'ExtendedGlob':
        // To zsh `*(e:…:)` is code.
        this.doubtsOutsideBash.push(node.type)
        return node.parts !== undefined || !/[$`]/.test(node.text)
      case 'BraceExpansion':
        return node.parts !== undefined || !/[$`]/.test(node.text)
      case 'Unknown':
        return false
      default:
        return true
    }
  }
}

function nothingBut(text: string): Reading {
  return withDoubt({ commands: [], doubts: [], doubtsOutsideBash: [] }, text)
}

function withDoubt(reading: Reading, text: string): Reading {
  return { ...reading, doubts: [...reading.doubts, text.slice(0, 100)] }
}
