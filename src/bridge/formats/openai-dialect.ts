import { allKeywordsBut, type Dialect } from './schema/dialect.ts'
import { isPortable } from './schema/patterns.ts'

/**
 * What OpenAI takes when `strict` is false: no union, `enum` or `not` at the root, `items` with every array, `properties`
 * with every object, and no pattern that Python or a linear-time engine cannot read.
 * Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas for the limit on nesting.
 */
export const openAiDialect: Dialect = {
  keywords: allKeywordsBut(),
  enums: 'any',
  typeLists: true,
  needs: { items: true, properties: true },
  takesPattern: isPortable,
  deepestLevel: 10,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
}
