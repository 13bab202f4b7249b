import type {
  ArithmeticWord,
  ParameterExpansionPart,
  TestBinaryExpression,
  TestUnaryExpression,
} from 'unbash'
import { isHazardousName } from './hazardous-names.ts'

const wholeNumber = /^-?\d+$/
const identifier = /^[A-Za-z_]\w*$/

/** Whether expanding it only yields text. Arithmetic, indirection and prompts run what they find in variables. */
export function isTameExpansion({ prefix, index, operation, parameter }: ParameterExpansionPart): boolean {
  if (prefix === '!' || (index && !/^(?:[@*]|\d+)$/.test(index.text))) return false
  switch (operation?.type) {
    case undefined:
    case 'Remove':
    case 'Replace':
    case 'CaseModification':
      return true
    case 'Default':
      return !(operation.operator.includes('=') && isHazardousName(parameter))
    case 'Slice':
      return wholeNumber.test(operation.offset.text.trim()) && isPlainLength(operation.length?.text)
    default:
      return false
  }
}

/** A name in arithmetic is evaluated, and what it holds again. */
export function isTameArithmetic({ value }: ArithmeticWord): boolean {
  return /^(?:\d+|0[xX][\da-fA-F]+|)$/.test(value.trim())
}

export function isTameTest(test: TestUnaryExpression | TestBinaryExpression): boolean {
  if (test.type === 'TestUnary') return !/^-[vR]$/.test(test.operator) || identifier.test(test.operand.text)
  const isArithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(test.operator)
  return !isArithmetic || (wholeNumber.test(test.left.text) && wholeNumber.test(test.right.text))
}

/** Builtins that evaluate their arguments as arithmetic or as the name of an array's element. */
export function isTameBuiltin(program: string, args: readonly unknown[]): boolean {
  if (
    !/^(?:let|test|\[|printf|read|mapfile|readarray|unset|declare|typeset|local|export|readonly|wait|getopts)$/.test(
      program,
    )
  )
    return true
  const words = args.map((word) => (typeof word === 'string' ? word : '$'))
  switch (program) {
    case 'let':
      return words.every((word) => wholeNumber.test(word))
    case 'test':
    case '[':
      return !words.some((word) => /^-(?:v|R|eq|ne|lt|le|gt|ge)$/.test(word)) || !words.some(hidesCode)
    case 'printf':
      return !words[0]?.startsWith('-v') || (!words.some(hidesCode) && !words.some(setsHazard))
    case 'declare':
    case 'typeset':
    case 'local':
      return !words.some((word) => /^[-+]\w*[ni]/.test(word) || hidesCode(word) || setsHazard(word))
    default:
      return !words.some(hidesCode) && !words.some(setsHazard)
  }
}

function hidesCode(word: string): boolean {
  return /[$`]|\[.*[A-Za-z_]/.test(word)
}

/** `NAME`, `NAME=value`, and the `-vNAME` of printf. */
function setsHazard(word: string): boolean {
  return isHazardousName(word.replace(/^-v|\+?=.*$/gs, ''))
}

function isPlainLength(length: string | undefined): boolean {
  return length === undefined || wholeNumber.test(length.trim())
}
