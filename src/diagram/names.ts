/** What an action is called: its own name, or what the built-in does (`raise(READY)`, `spawnChild(roundTrip)`, `assign`). */
export function actionName(action: unknown): string {
  if (typeof action === 'string') return action
  const type = field(action, 'type')
  if (typeof type !== 'string') return functionName(action)
  const builtIn = /^xstate\.(\w+)$/.exec(type)?.[1]
  if (builtIn === undefined) return type
  const subject = field(action, 'src') ?? field(field(action, 'event'), 'type')
  return typeof subject === 'string' ? `${builtIn}(${subject})` : builtIn
}

/** What a guard is called, with `and`, `or`, `not` and `stateIn` spelled out. */
export function guardName(guard: unknown): string {
  if (typeof guard === 'string') return guard
  const type = field(guard, 'type')
  if (typeof type === 'string') return type
  const parts = field(guard, 'guards')
  const name = functionName(guard)
  if (Array.isArray(parts))
    return name === 'not' ? `not ${operand(parts[0])}` : parts.map(operand).join(` ${name} `)
  const stateValue = field(guard, 'stateValue')
  return stateValue === undefined ? name : `in ${stateName(stateValue)}`
}

/** What an invoked actor is called; logic given in place has only the id it was given. */
export function sourceName(src: unknown, id: string): string {
  return typeof src === 'string' && !src.startsWith('xstate.invoke.') ? src : id
}

function stateName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, below]) => `${key}.${stateName(below)}`)
    .join(' and ')
}

function operand(guard: unknown): string {
  const name = guardName(guard)
  return / (and|or) /.test(name) ? `(${name})` : name
}

// A function written in place takes the name of the key it stands under, which says nothing.
const inheritedNames = new Set(['', 'actions', 'entry', 'exit', 'guard'])

function functionName(value: unknown): string {
  return typeof value === 'function' && !inheritedNames.has(value.name) ? value.name : 'inline'
}

function field(value: unknown, key: string): unknown {
  const hasFields = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return hasFields ? Reflect.get(value, key) : undefined
}
