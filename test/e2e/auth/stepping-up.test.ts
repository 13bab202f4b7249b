import { expect, it } from 'vitest'
import { failureOf, textOf } from '../harness.ts'
import { connect } from '../http/harness.ts'
import { issuer } from './issuer.ts'
import { consenting, protectedServer } from './protected.ts'

it('a tool that wants more is called once its scope was consented to, beside those there were', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as, wants: { write: 'notes:write', erase: 'notes:erase' } })
  const { client } = connect(server, { url: server.url, auth: consenting({ scopes: ['own'] }) })
  await client.callTool('read')
  expect(textOf(await client.callTool('write'))).toBe('write was called')
  expect(textOf(await client.callTool('erase'))).toBe('erase was called')
  const asked = as.authorizations.map((query) => query.get('scope'))
  expect(asked).toEqual(['own basic', 'own basic notes:write', 'own basic notes:write notes:erase'])
})

it('a scope that nobody gets is asked for once; the other tools go on', async () => {
  const as = await issuer({ withheld: ['notes:write'] })
  const server = await protectedServer({ issuer: as, wants: { write: 'notes:write' } })
  const { client } = connect(server, { url: server.url, auth: consenting() })
  for (const _ of ['at first', 'again'])
    expect(String(await failureOf(client.callTool('write')))).toMatch(
      /wants the scopes notes:write, which .+ did not grant/,
    )
  expect(as.authorizations).toHaveLength(2)
  expect(textOf(await client.callTool('read'))).toBe('read was called')
})

it('somebody who declines more keeps what there is', async () => {
  const declines = (to: URL) => {
    if (as.authorizations.length === 1) return to
    to.searchParams.delete('code')
    to.searchParams.set('error', 'access_denied')
    return to
  }
  const as = await issuer({ redirect: declines })
  const server = await protectedServer({ issuer: as, wants: { write: 'notes:write' } })
  const { client } = connect(server, { url: server.url, auth: consenting() })
  await client.callTool('read')
  expect(String(await failureOf(client.callTool('write')))).toMatch(/the sign-in was declined/)
  expect(textOf(await client.callTool('read'))).toBe('read was called')
  expect(as.authorizations).toHaveLength(2)
})
