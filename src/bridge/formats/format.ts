import type { ToolDeclaration, ToolResult } from '../provider.ts'
import type { Dialect } from './schema/dialect.ts'

/** What one vendor's API exchanges. */
export interface Shape {
  /** What a request has as its `tools`. */
  readonly tools: object
  /** What the model answered with. */
  readonly message: object
  /** What is appended to the conversation. */
  readonly answer: object
}

/** One vendor's side of the translation. Ids and names are the vendor's own here. */
export interface Format<Vendor extends Shape> {
  readonly dialect: Dialect
  toTools(declarations: readonly ToolDeclaration[]): Vendor['tools']
  /** Tools that are no functions are left out. */
  fromTools(tools: Vendor['tools']): readonly ToolDeclaration[]
  /** Where a response has the message, if it is not one itself. */
  readonly messageAt?: readonly [key: string, way: string]
  fromMessage(message: Vendor['message']): readonly VendorCall[]
  toAnswers(results: readonly AnsweredCall[]): Vendor['answer'][]
  fromAnswers(answers: readonly Vendor['answer'][]): readonly VendorResult[]
}

/** A model's call as its vendor wrote it: not checked yet. */
export interface VendorCall {
  readonly id: unknown
  readonly name: unknown
  readonly arguments: unknown
  /** Where it stands in the message. */
  readonly path: readonly string[]
}

export interface AnsweredCall {
  readonly result: ToolResult
  /** The name the vendor knows the tool by. */
  readonly name: string
  /** The vendor's own id; undefined where it gave none. */
  readonly id: string | undefined
}

export interface VendorResult {
  readonly id: string | undefined
  readonly content: string
  readonly isError: boolean
}
