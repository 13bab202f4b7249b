import type { Toolkit } from 'mcp-troupe/server'

export interface WeatherOptions {
  /** How it asks; a test brings its own. */
  readonly fetch?: typeof globalThis.fetch
  /** Default `https://wttr.in`. */
  readonly service?: string
}

/** The weather of a city, in one line. */
export function weather({
  fetch = globalThis.fetch,
  service = 'https://wttr.in',
}: WeatherOptions = {}): Toolkit {
  return {
    defaultPrefix: 'weather',
    register(registrar) {
      registrar.tool(
        'now',
        {
          description: 'The weather of a city as it is now',
          params: { city: { type: 'string', description: 'By name', minLength: 1, required: true } },
          annotations: { readOnlyHint: true, openWorldHint: true },
        },
        async ({ city }, { signal }) => {
          // Whoever gives the call up gives the request up.
          const response = await fetch(`${service}/${encodeURIComponent(city)}?format=3`, { signal })
          if (!response.ok)
            throw new Error(`${service} does not tell the weather of ${city}: status ${response.status}`)
          return (await response.text()).trim()
        },
      )
    },
  }
}
