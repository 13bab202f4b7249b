import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient, Registry, type StdioClientOptions } from '../../src/index.ts'
import type { Inspector } from '../../src/inspector/index.ts'
import { deferred } from '../model/deferred.ts'
import { browserForTests } from './browser.ts'
import { bareModern, inspect, modern } from './harness.ts'

const browser = browserForTests()

describe('the page of the inspector', () => {
  it('lights the states of a connection as its server starts, is killed, and is connected to again', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    const first = connect(inspector, 'files')
    await choose(page, 'files')
    await lit(page, 'connection.modern.ready')
    process.kill(first.processId ?? Number.NaN, 'SIGKILL')
    await lit(page, 'connection.closed')
    expect(await litStates(page)).toEqual(['connection', 'connection.closed'])
    await page.locator('.server', { hasText: 'files' }).getByText('failed').waitFor()
    connect(inspector, 'files')
    await lit(page, 'connection.modern.ready')
    await page.locator('.actor').getByText('generation 2').waitFor()
    await page.locator('#timeline .restart').waitFor({ state: 'attached' })
  })

  it('fits its timeline to a window that grew narrow, also while it is paused', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    connect(inspector, 'files')
    await page.locator('#timeline [data-phase=up]').waitFor({ state: 'attached' })
    for (const width of [600, 450]) {
      await page.setViewportSize({ width, height: 800 })
      // Not waitForFunction: the page's own policy forbids it to evaluate.
      const overflow = () => page.locator('#timeline').evaluate((it) => it.scrollWidth - it.clientWidth)
      await expect.poll(overflow).toBeLessThanOrEqual(0)
      await page.keyboard.press('p')
    }
  })

  it('lights the states of a supervised server that is killed: it backs off, starts and is up again, as the next generation', async () => {
    const inspector = await inspect()
    const registry = new Registry({ inspect: inspector.observer })
    onTestFinished(() => registry.close())
    const backoff = { initialMs: 3_000, maxMs: 3_000, jitter: 0 }
    const server = { command: process.execPath, args: [modern] }
    registry.add(server, { prefix: 'files', backoff })
    registry.add(server, { prefix: 'search' })
    const page = await browser.open(inspector.url)
    await page.getByText('2 of 2 up').waitFor()
    await choose(page, 'files')
    await lit(page, 'supervisedChild.up', 'supervisedChild')
    await lit(page, 'connection.modern.ready')
    await registry.executeToolCalls([{ id: '1', function: { name: 'files_crash', arguments: {} } }])
    await lit(page, 'supervisedChild.backingOff', 'supervisedChild')
    await lit(page, 'connection.closed')
    await page.getByText('1 of 2 up').waitFor()
    await lit(page, 'supervisedChild.up', 'supervisedChild')
    await lit(page, 'connection.modern.ready')
    await page.locator('[data-machine=supervisedChild]').getByText('generation 2').waitFor()
    await page.locator('.server', { hasText: 'files' }).getByText('up · 1↻').waitFor()
    await page.locator('#timeline .restart').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.locator('.card', { hasText: 'registry: running' }).waitFor()
  })

  it('shows a call that waits for input, and its round trip, while it waits', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    const name = deferred<string>()
    const client = connect(inspector, 'files', {
      onElicit: async () => ({ action: 'accept', content: { name: await name.promise } }),
    })
    await choose(page, 'files')
    await lit(page, 'connection.modern.ready')
    const greeting = client.callTool('ask_name')
    await lit(page, 'connection.modern.inputRequired')
    await lit(page, 'roundTrip.collecting', 'roundTrip')
    name.resolve('Ada')
    await greeting
    await lit(page, 'connection.modern.ready')
    await lit(page, 'roundTrip.answered', 'roundTrip')
  })

  it('shows the messages on the wire, to be opened, without secrets', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    const client = connect(inspector, 'files')
    await page.getByText('1 of 1 up').waitFor()
    await client.callTool('echo', { text: 'hi', apiKey: 'hunter2' })
    const message = page.locator('#entries li[data-kind=message]', { hasText: 'tools/call' })
    await message.locator('summary').click()
    await message.locator('pre', { hasText: '"apiKey": "***"' }).waitFor()
    expect(await page.content()).not.toContain('hunter2')
  })

  it('shows what servers say as text, never as markup', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    const name = '<img src=x onerror=alert(1)>'
    const client = connect(inspector, name)
    await choose(page, name)
    await client.callTool('echo', { text: `${name}<script>alert(2)</script>` })
    await page.locator('#entries li[data-kind=message]', { hasText: 'tools/call' }).waitFor()
    expect(await page.locator('img, body script').count()).toBe(0)
  })

  it('lists twenty servers, filters them by name, and is driven by keys alone', async () => {
    const inspector = await inspect()
    const clients = Array.from({ length: 20 }, (_, index) =>
      connect(inspector, `server-${index + 1}`, { args: [bareModern] }),
    )
    const page = await browser.open(inspector.url)
    await Promise.all(clients.map((client) => client.era()))
    await page.getByText('20 of 20 up').waitFor()
    expect(await page.locator('.server').count()).toBe(21)
    await page.keyboard.press('/')
    await page.keyboard.type('server-2')
    await becomes(
      () => page.locator('.server .name').allTextContents(),
      ['All servers', 'server-2', 'server-20'],
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await becomes(() => chosen(page), 'server-2')
    await page.keyboard.press('j')
    await becomes(() => chosen(page), 'server-20')
    await page.keyboard.press('k')
    await lit(page, 'connection.modern.ready')
    await page.keyboard.press('Escape')
    await becomes(() => chosen(page), 'All servers')
  })

  it('stands still while it is paused, and has missed nothing afterwards', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    const client = connect(inspector, 'files')
    await choose(page, 'files')
    await lit(page, 'connection.modern.ready')
    await page.keyboard.press('p')
    await client.callTool('echo', { text: 'unseen' })
    await client.close()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(await litStates(page)).toContain('connection.modern.ready')
    await page.keyboard.press('p')
    await lit(page, 'connection.closed')
    await page.locator('#entries', { hasText: 'tools/call' }).waitFor()
  })

  it('filters its log by kind and by what is searched for', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    const client = connect(inspector, 'files')
    await client.callTool('echo', { text: 'needle' })
    const kinds = () =>
      page
        .locator('#entries li')
        .evaluateAll((rows) => [...new Set(rows.map((row) => row.getAttribute('data-kind')))])
    await page.locator('#entries', { hasText: 'tools/call' }).waitFor()
    await page.getByLabel('events').uncheck()
    await page.getByLabel('states').uncheck()
    await becomes(kinds, ['message'])
    await page.getByLabel('Search the log').fill('needle')
    await becomes(() => page.locator('#entries .title').allTextContents(), ['result', 'tools/call'])
  })

  it('gives the machine it draws as JSON', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    connect(inspector, 'files')
    await choose(page, 'files')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'JSON' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('connection.json')
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({ id: 'connection' })
  })

  it.each(['light', 'dark'] as const)('can be read in a %s room', async (colorScheme) => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url, { colorScheme })
    connect(inspector, 'files')
    await choose(page, 'files')
    await lit(page, 'connection.modern.ready')
    for (const pair of readable) expect(await contrast(page, pair), pair.text).toBeGreaterThan(4.5)
  })

  it('says when the inspector is gone', async () => {
    const inspector = await inspect()
    const page = await browser.open(inspector.url)
    await page.getByText('live').waitFor()
    // Not a complaint: what the browser says of it.
    page.removeAllListeners('console')
    await inspector.close()
    await page.getByText('the inspector is gone').waitFor()
  })
})

function connect(
  inspector: Inspector,
  inspectAs: string,
  options: Partial<StdioClientOptions> = {},
): McpClient {
  const client = McpClient.connectStdio({
    command: process.execPath,
    args: [modern],
    inspect: inspector.observer,
    inspectAs,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

async function choose(page: Page, server: string): Promise<void> {
  await page.locator('.server', { hasText: server }).click()
}

async function chosen(page: Page): Promise<string | null> {
  return page.locator('.server[aria-current] .name').textContent()
}

/** Waits for what the page shows to be that. */
async function becomes(shown: () => Promise<unknown>, expected: unknown): Promise<void> {
  await expect.poll(shown, { timeout: 30_000 }).toEqual(expected)
}

/** Until that state is lit in a chart of that machine. */
async function lit(page: Page, state: string, machine = 'connection'): Promise<void> {
  await page
    .locator(`[data-machine="${machine}"] .lit[data-state="${state}"]`)
    .first()
    .waitFor({ state: 'attached' })
}

async function litStates(page: Page): Promise<(string | null)[]> {
  return page
    .locator('.chart .lit')
    .evaluateAll((states) => states.map((state) => state.getAttribute('data-state')))
}

/** A text of the page and what it stands on, each with the property that gives its colour. */
const readable = [
  { text: 'h1', ink: 'color', ground: '#top', paper: 'backgroundColor' },
  { text: '#totals', ink: 'color', ground: '#top', paper: 'backgroundColor' },
  { text: '[aria-current] .name', ink: 'color', ground: '[aria-current]', paper: 'backgroundColor' },
  { text: '[aria-current] .word', ink: 'color', ground: '[aria-current]', paper: 'backgroundColor' },
  { text: '.where', ink: 'color', ground: '.where', paper: 'backgroundColor' },
  { text: '.facts dt', ink: 'color', ground: '.actor', paper: 'backgroundColor' },
  { text: '.facts dd', ink: 'color', ground: '.actor', paper: 'backgroundColor' },
  { text: '[data-kind=state] .title', ink: 'color', ground: '#log', paper: 'backgroundColor' },
  { text: '.head .quiet', ink: 'color', ground: '#log', paper: 'backgroundColor' },
  { text: '.head time', ink: 'color', ground: '#log', paper: 'backgroundColor' },
  { text: '.bars text', ink: 'fill', ground: '#timeline', paper: 'backgroundColor' },
  ...['idle', 'opening', 'modern.ready'].map((state) => ({
    text: `[data-state="connection.${state}"] text`,
    ink: 'fill',
    ground: `[data-state="connection.${state}"] path`,
    paper: 'fill',
  })),
]

/** How much lighter or darker the text is than what it stands on, as WCAG counts. */
async function contrast(
  page: Page,
  { text, ink, ground, paper }: (typeof readable)[number],
): Promise<number> {
  const style = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`)
  const [front, back] = await Promise.all([style(text, ink), style(ground, paper)])
  const [darker = 0, lighter = 0] = [luminance(front), luminance(back)].sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
