import type { ServerCapabilities } from '../../protocol/capabilities.ts'
import type { Era } from '../../protocol/versions.ts'
import { complete } from '../methods/completion.ts'
import { listPrompts, listResources, listTemplates, listTools } from '../methods/lists.ts'
import type { Method } from '../methods/method.ts'
import { getPrompt } from '../methods/prompts.ts'
import { readResource } from '../methods/resources.ts'
import { cancelTask, getTask, updateTask } from '../methods/tasks.ts'
import { callTool } from '../methods/tools.ts'
import type { Served } from './served.ts'

interface Feature {
  readonly method: Method
  readonly needs: keyof ServerCapabilities
}

/** What both eras have. */
const features: ReadonlyMap<string, Feature> = new Map([
  ['tools/list', { method: listTools, needs: 'tools' }],
  ['tools/call', { method: callTool, needs: 'tools' }],
  ['resources/list', { method: listResources, needs: 'resources' }],
  ['resources/templates/list', { method: listTemplates, needs: 'resources' }],
  ['resources/read', { method: readResource, needs: 'resources' }],
  ['prompts/list', { method: listPrompts, needs: 'prompts' }],
  ['prompts/get', { method: getPrompt, needs: 'prompts' }],
  ['completion/complete', { method: complete, needs: 'completions' }],
])

/** What only the modern era has. */
const modernFeatures: ReadonlyMap<string, Feature> = new Map([
  ['tasks/get', { method: getTask, needs: 'extensions' }],
  ['tasks/update', { method: updateTask, needs: 'extensions' }],
  ['tasks/cancel', { method: cancelTask, needs: 'extensions' }],
])

/** A method of something the server declares; undefined for all others. */
export function featureMethod({ offer }: Served, name: string, era: Era): Method | undefined {
  const feature = features.get(name) ?? (era === 'modern' ? modernFeatures.get(name) : undefined)
  return feature && offer.capabilities[feature.needs] ? feature.method : undefined
}
