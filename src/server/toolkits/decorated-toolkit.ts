import { ConfigError } from '../../errors.ts'
import type { Registrar } from '../registration/registrar.ts'
import type { Toolkit } from '../registration/toolkit.ts'

/** For decorators: what registers a member of a toolkit that is being made. */
export let declareOn: (
  toolkit: DecoratedToolkit,
  member: string,
  register: (registrar: Registrar) => void,
) => void

/**
 * A toolkit whose members say by decorators what they are. The decorators are those of the language, which TypeScript compiles
 * unless `experimentalDecorators` is set.
 *
 * ```ts
 * class Calculator extends DecoratedToolkit {
 *   @attribute({ description: 'Digits after the point' }) readonly digits = 2
 *
 *   @tool({ params: { a: { type: 'number', required: true }, b: { type: 'number', required: true } } })
 *   add({ a, b }: { a: number; b: number }) {
 *     return (a + b).toFixed(this.digits)
 *   }
 * }
 *
 * await serveStdio(new McpServer({ name: 'calculator', toolkits: [new Calculator()] }))
 * ```
 */
export abstract class DecoratedToolkit implements Toolkit {
  readonly #members = new Map<string, (registrar: Registrar) => void>()

  static {
    declareOn = (toolkit, member, register) => {
      if (!(#members in toolkit))
        throw new ConfigError({
          path: [member],
          reason: 'is decorated in a class that is no DecoratedToolkit',
        })
      // That of a class below stands in for that of a class above.
      toolkit.#members.set(member, register)
    }
  }

  register(registrar: Registrar): void {
    for (const register of this.#members.values()) register(registrar)
  }
}
