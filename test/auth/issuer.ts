import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
import type { Page } from 'playwright-core'
import { onTestFinished, vi } from 'vitest'

/** An authorization server, as others run it: clients register by themselves, refresh tokens rotate, and a second use of one ends it. */
export interface Issuer {
  readonly url: string
  readonly provider: Provider
  /** Each request to its token endpoint, by grant. */
  readonly grants: readonly string[]
  /** How many clients registered. */
  readonly registrations: number
  /** What each request to its token endpoint waits for; may be changed. */
  beforeToken: () => Promise<void>
  /** Ends every sign-in there was: no token is refreshed any more. */
  endGrants(): Promise<void>
}

export async function startIssuer(): Promise<Issuer> {
  // It says at length that this is no place for production.
  const silent = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info')].map((spy) => spy.mockReturnValue())
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const provider = new Provider(url, configuration)
  provider.use(async (ctx, next) => {
    if (ctx.path === '/token') await issuer.beforeToken()
    await next()
  })
  const grants: string[] = []
  const issued = new Set<string>()
  let registrations = 0
  provider.on('registration_create.success', () => {
    registrations += 1
  })
  provider.on('grant.success', (ctx) => {
    grants.push(String(ctx.oidc.params?.grant_type))
    issued.add(ctx.oidc.entities.Grant?.jti ?? '')
  })
  http.on('request', provider.callback())
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
    for (const spy of silent) spy.mockRestore()
  })
  const issuer: Issuer = {
    url,
    provider,
    grants,
    beforeToken: async () => {},
    get registrations() {
      return registrations
    },
    async endGrants() {
      for (const id of issued) {
        await provider.RefreshToken.revokeByGrantId(id)
        await (await provider.Grant.find(id))?.destroy()
      }
    },
  }
  return issuer
}

/** Signs in as anybody, at the pages of that server, and consents or not. */
export async function signInAt(page: Page, consent: 'granted' | 'refused' = 'granted'): Promise<void> {
  await page.locator('input[name=login]').fill('ann')
  await page.locator('input[name=password]').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  const end =
    consent === 'granted' ? page.getByRole('button', { name: 'Continue' }) : page.getByText('Cancel')
  await end.click()
}

const configuration: Configuration = {
  scopes: ['openid', 'offline_access', 'notes:read', 'notes:write'],
  clientDefaults: {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  features: {
    registration: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'notes:read notes:write',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3_600,
      }),
      useGrantedResource: () => true,
    },
  },
  issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  cookies: { keys: ['a key of the tests'] },
  pkce: { required: () => true },
}
