import { homedir } from 'node:os'
import { join } from 'node:path'
import type { GuardFloor } from './guard.ts'
import { defaultRules } from './policy/default-rules.ts'
import { dangerFloor, floorChecks } from './policy/floor/danger-floor.ts'
import type { PolicyOptions } from './policy/policy-options.ts'

/** Rules on the danger floor, with the checks that these name. `rules` are by default `Policy.defaultRules()`. */
export function standing(
  { rules = defaultRules(), checks }: Pick<PolicyOptions, 'rules' | 'checks'>,
  floor: false | GuardFloor,
): Pick<PolicyOptions, 'checks'> & Required<Pick<PolicyOptions, 'rules'>> {
  if (floor === false) return { rules, ...(checks && { checks }) }
  const { home = homedir(), configDir = join(home, '.config', 'mcp-troupe'), tools } = floor
  const places = { home, configDir }
  return {
    rules: [...rules, ...dangerFloor({ ...places, ...(tools && { tools }) })],
    checks: { ...checks, ...floorChecks(places) },
  }
}
