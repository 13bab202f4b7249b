import type { ElicitRequestFormParams } from '../../protocol/elicitation.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { oneLine } from '../text/printable.ts'

/** A field of a server's form, understood. Its texts are printable, but for the values of options. */
export type Field = {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly isRequired: boolean
} & Kind

export type Kind =
  | TextKind
  | NumberKind
  | { readonly kind: 'yesOrNo'; readonly default?: boolean }
  | { readonly kind: 'choice'; readonly options: readonly Option[]; readonly default?: string }
  | ChoicesKind
  /** Of a kind the protocol does not know. */
  | { readonly kind: 'unknown' }

export interface TextKind {
  readonly kind: 'text'
  /** In characters. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: 'email' | 'uri' | 'date' | 'date-time'
  readonly default?: string
}

export interface NumberKind {
  readonly kind: 'number'
  readonly isWhole: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

export interface ChoicesKind {
  readonly kind: 'choices'
  readonly options: readonly Option[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: readonly string[]
}

export interface Option {
  readonly value: string
  readonly label: string
}

/** The fields of a form, in its order. Source: client/elicitation; schema `PrimitiveSchemaDefinition`. */
export function readFields({ requestedSchema }: ElicitRequestFormParams): readonly Field[] {
  const { properties, required }: { properties?: unknown; required?: unknown } = isObject(requestedSchema)
    ? requestedSchema
    : {}
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    label: (isObject(schema) && short(schema.title)) || short(name),
    description: isObject(schema) ? short(schema.description, 500) : '',
    isRequired: isRequired(name),
    ...(isObject(schema) ? kindOf(schema) : unknown),
  }))
}

function kindOf(schema: JsonObject): Kind {
  switch (schema.type) {
    case 'string':
      return stringKind(schema)
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isWhole: schema.type === 'integer',
        ...given('minimum', schema.minimum, isNumber),
        ...given('maximum', schema.maximum, isNumber),
        ...given('default', schema.default, isNumber),
      }
    case 'boolean':
      return { kind: 'yesOrNo', ...given('default', schema.default, isFlag) }
    case 'array':
      return choicesKind(schema)
    default:
      return unknown
  }
}

function stringKind(schema: JsonObject): Kind {
  const options = optionsOf(schema)
  const standard = given('default', schema.default, isText)
  if (options) return options.length > 0 ? { kind: 'choice', options, ...standard } : unknown
  return {
    kind: 'text',
    ...given('minLength', schema.minLength, isNumber),
    ...given('maxLength', schema.maxLength, isNumber),
    ...given('format', schema.format, isFormat),
    ...standard,
  }
}

function choicesKind(schema: JsonObject): Kind {
  const options = isObject(schema.items) ? optionsOf(schema.items) : undefined
  if (!options?.length) return unknown
  return {
    kind: 'choices',
    options,
    ...given('minItems', schema.minItems, isNumber),
    ...given('maxItems', schema.maxItems, isNumber),
    ...given('default', schema.default, areTexts),
  }
}

/** Of an `enum`, with `enumNames` as older servers write them, or of titled constants. Undefined: it is no choice. */
function optionsOf({ enum: values, enumNames: names, oneOf, anyOf }: JsonObject): Option[] | undefined {
  if (areTexts(values)) {
    const titles = areTexts(names) ? names : []
    return values.map((value, index) => option(value, titles[index]))
  }
  const titled = oneOf ?? anyOf
  if (!Array.isArray(titled)) return undefined
  return titled.flatMap((one) =>
    isObject(one) && isText(one.const) ? [option(one.const, isText(one.title) ? one.title : undefined)] : [],
  )
}

function option(value: string, title: string | undefined): Option {
  return { value, label: short(title ?? value) || '(empty)' }
}

/** What stands beside a question leaves room for it. */
function short(text: unknown, longest = 100): string {
  const line = oneLine(text)
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** A member, where it is what it should be. */
function given<Name extends string, Value>(
  name: Name,
  value: unknown,
  isRight: (value: unknown) => value is Value,
): { readonly [name in Name]?: Value } {
  return isRight(value) ? ({ [name]: value } as { readonly [name in Name]?: Value }) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}

function isFormat(value: unknown): value is NonNullable<TextKind['format']> {
  return value === 'email' || value === 'uri' || value === 'date' || value === 'date-time'
}

const unknown = { kind: 'unknown' } as const
