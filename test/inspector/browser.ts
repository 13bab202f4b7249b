import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'

/** The system's own Chromium; a test that cannot see its page has seen nothing. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/**
 * A browser for the tests of a file. `open` opens a page that must not complain, nor ask for anything outside of its own address; `visit`
 * one of somebody else, in a browser that knows nobody yet.
 */
export function browserForTests() {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())
  return {
    async open(url: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1_500, height: 950 }, ...options })
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('request', (request) => {
        if (!request.url().startsWith(url)) complaints.push(`asked for ${request.url()}`)
      })
      onTestFinished(async () => {
        await page.close()
        expect(complaints).toEqual([])
      })
      await page.goto(url)
      return page
    },
    /** `unreachable`: what cannot be reached from where it runs; it stands in its address all the same. */
    async visit(url: string, unreachable?: RegExp): Promise<Page> {
      const context = await browser.newContext()
      onTestFinished(() => context.close())
      const page = await context.newPage()
      if (unreachable) await page.route(unreachable, (route) => route.fulfill({ status: 502, body: '' }))
      await page.goto(url)
      return page
    },
  }
}
