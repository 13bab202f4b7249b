import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { ToolDeclaration } from '../provider.ts'
import { type DeclaredNames, fitNames, type NameTable, renameParameters } from './names.ts'
import { type Dialect, isAnnotation } from './schema/dialect.ts'
import { type RepairedParameters, repairParameters } from './schema/repair-parameters.ts'

export interface Published {
  readonly declarations: readonly ToolDeclaration[]
  readonly names: NameTable
}

/** The catalogue in a vendor's dialect. A tool it cannot take is left out; `warn` is told of each tool that is not what it was. */
export function publish(
  declarations: readonly ToolDeclaration[],
  dialect: Dialect,
  warn: (message: string) => void,
): Published {
  const distinct = nameable(declarations, warn)
  const fitting = fitNames([...distinct.keys()], dialect.toolName)
  const published: ToolDeclaration[] = []
  const names = new Map<string, DeclaredNames>()
  for (const [tool, declaration] of distinct) {
    const { description, parameters } = declaration.function
    const repaired = repairOf(parameters, dialect)
    if (repaired.kind === 'unusable') {
      warn(`The tool ${tool} was left out: ${repaired.reason}`)
      continue
    }
    const name = fitting.get(tool) ?? tool
    const { parameters: fitted, args, lost } = fitArguments(repaired.parameters, dialect)
    if (name !== tool || args.size > 0) names.set(name, { tool, args })
    const changes = [
      ...(name === tool ? [] : [`it is called ${name}`]),
      ...[...args].map(([published, declared]) => `its argument ${declared} is called ${published}`),
      ...repaired.changes,
      ...lost.map((keyword) => `/ ${keyword} was dropped: arguments were renamed`),
    ]
    if (changes.length > 0) warn(`The tool ${tool} was changed: ${inShort(changes)}`)
    published.push({
      type: 'function',
      function: { name, description: typeof description === 'string' ? description : '', parameters: fitted },
    })
  }
  return { declarations: published, names }
}

/** What is nested too deeply for the stack cannot be sent either. */
function repairOf(parameters: unknown, dialect: Dialect): RepairedParameters {
  try {
    const repaired = repairParameters(parameters, dialect)
    JSON.stringify(repaired)
    return repaired
  } catch (error) {
    return { kind: 'unusable', reason: `its schema cannot be read: ${thrownMessage(error)}` }
  }
}

/** By name, the first of each. */
function nameable(
  declarations: readonly ToolDeclaration[],
  warn: (message: string) => void,
): ReadonlyMap<string, ToolDeclaration> {
  const distinct = new Map<string, ToolDeclaration>()
  for (const declaration of declarations) {
    const name: unknown = declaration?.function?.name
    if (typeof name !== 'string' || name === '') warn('A tool was left out: it has no name')
    else if (distinct.has(name)) warn(`The tool ${name} was left out: another has that name`)
    else distinct.set(name, declaration)
  }
  return distinct
}

function fitArguments(
  parameters: JsonObject,
  { argumentName }: Dialect,
): { parameters: JsonObject; args: ReadonlyMap<string, string>; lost: readonly string[] } {
  const given = isObject(parameters.properties) ? Object.keys(parameters.properties) : []
  const fitting = argumentName ? fitNames(given, argumentName) : new Map<string, string>()
  const renamed = new Map([...fitting].filter(([declared, published]) => declared !== published))
  if (renamed.size === 0) return { parameters, args: renamed, lost: [] }
  const simple = Object.fromEntries(
    Object.entries(parameters).filter(([keyword]) => staysTrue(keyword, parameters)),
  )
  return {
    parameters: renameParameters(simple, renamed),
    args: new Map([...renamed].map(([declared, published]) => [published, declared])),
    lost: Object.keys(parameters).filter((keyword) => !(keyword in simple)),
  }
}

/** Whether a keyword still means the same when properties were renamed: most that speak of them would mean the old names. */
function staysTrue(keyword: string, parameters: JsonObject): boolean {
  if (keyword === 'additionalProperties') return !('patternProperties' in parameters)
  return isAnnotation(keyword) || nameless.has(keyword)
}

function inShort(changes: readonly string[]): string {
  const more = changes.length - mostChanges
  const shown = changes
    .slice(0, mostChanges)
    .map((change) => (change.length > longestChange ? `${change.slice(0, longestChange)}…` : change))
  return more > 0 ? `${shown.join('; ')}; and ${more} more` : shown.join('; ')
}

const nameless: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
])
const mostChanges = 8
/** In characters: a reference may be of any length. */
const longestChange = 300
