import { describe, expect, it } from 'vitest'
import { isWithin } from '../../src/protocol/resources.ts'
import { checkFilter, honourable, matchesFilter, readHonoured } from '../../src/protocol/subscriptions.ts'

const updated = 'notifications/resources/updated'

describe('a legacy notification', () => {
  it.each([
    ['notifications/tools/list_changed', { toolsListChanged: true }, {}, true],
    ['notifications/tools/list_changed', { toolsListChanged: false }, {}, false],
    ['notifications/tools/list_changed', { promptsListChanged: true }, {}, false],
    ['notifications/prompts/list_changed', { promptsListChanged: true }, {}, true],
    ['notifications/resources/list_changed', { resourcesListChanged: true }, {}, true],
    [updated, { resourceSubscriptions: ['file:///a'] }, { uri: 'file:///a' }, true],
    [updated, { resourceSubscriptions: ['file:///a'] }, { uri: 'file:///a/b' }, true],
    [updated, { resourceSubscriptions: ['file:///a'] }, { uri: 'file:///ab' }, false],
    [updated, { resourceSubscriptions: ['file:///a/b'] }, { uri: 'file:///a' }, false],
    [updated, {}, { uri: 'file:///a' }, false],
    [updated, { resourceSubscriptions: ['file:///a'] }, {}, false],
    ['notifications/message', { toolsListChanged: true }, {}, false],
    ['toString', { toolsListChanged: true }, {}, false],
  ])('%s for %j with %j matches: %s', (method, filter, params, isMatch) => {
    expect(matchesFilter(filter, method, params)).toBe(isMatch)
  })
})

describe('a filter', () => {
  it.each([
    [{}],
    [{ toolsListChanged: true, promptsListChanged: false, resourcesListChanged: true }],
    [{ resourceSubscriptions: [] }],
    [{ resourceSubscriptions: ['file:///a'] }],
  ])('%j is good', (filter) => {
    expect(checkFilter(filter)).toBeUndefined()
  })

  it.each([
    [null, 'must be an object'],
    [[], 'must be an object'],
    [{ toolListChanged: true }, 'toolListChanged is nothing to subscribe to'],
    [{ toolsListChanged: 1 }, 'toolsListChanged must be true or false'],
    [{ resourceSubscriptions: 'file:///a' }, 'resourceSubscriptions must be an array of URIs'],
    [{ resourceSubscriptions: [1] }, 'resourceSubscriptions must be an array of URIs'],
  ])('%j is bad: %s', (filter, complaint) => {
    expect(checkFilter(filter)).toBe(complaint)
  })
})

describe('an acknowledgement', () => {
  it('states what is honoured, nothing when it is malformed', () => {
    expect(readHonoured({ notifications: { toolsListChanged: true } })).toEqual({ toolsListChanged: true })
    expect(readHonoured({})).toEqual({})
    expect(readHonoured({ notifications: [] })).toEqual({})
  })
})

describe('what of a filter a legacy server can honour', () => {
  const filter = {
    toolsListChanged: true,
    promptsListChanged: false,
    resourcesListChanged: true,
    resourceSubscriptions: ['file:///a'],
  }

  it('is what it advertised', () => {
    const everything = {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    }
    const { promptsListChanged: _unwanted, ...wanted } = filter
    expect(honourable(filter, everything)).toEqual(wanted)
    expect(honourable(filter, { tools: {}, resources: { subscribe: true } })).toEqual({
      resourceSubscriptions: ['file:///a'],
    })
    expect(honourable(filter, {})).toEqual({})
  })
})

describe('a resource', () => {
  it.each([
    ['file:///a', 'file:///a', true],
    ['file:///a/b', 'file:///a', true],
    ['file:///a/b', 'file:///a/', true],
    ['file:///ab', 'file:///a', false],
    ['file:///a', 'file:///a/b', false],
  ])('%s is %s or a part of it: %s', (uri, resource, isPart) => {
    expect(isWithin(uri, resource)).toBe(isPart)
  })
})
