import { createHash } from 'node:crypto'

/** How a sign-in ended, as far as the browser came. */
export type Ending = 'granted' | 'refused' | 'failed'

/** A page for the end of a sign-in, which asks for nothing else and runs nothing. What the redirect says is not on it: anybody could have written that. */
export function endingPage(ending: Ending, appName: string): string {
  const { mark, title, text } = endings[ending]
  const app = escaped(appName)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body class="${ending}">
<main>
<svg viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="${mark}"/></svg>
<h1>${title}</h1>
<p>${text.replace('<app>', () => `<strong>${app}</strong>`)}</p>
<p class="quiet">You can close this page.</p>
</main>
</body>
</html>
`
}

const endings = {
  granted: {
    mark: 'M14 25l7 7 13-15',
    title: 'Access granted',
    text: 'Go back to <app>, which takes it from here.',
  },
  refused: {
    mark: 'M16 16l16 16M32 16L16 32',
    title: 'Access refused',
    text: 'Nothing was shared with <app>. To try again, start over there.',
  },
  failed: {
    mark: 'M24 12v15M24 34v1',
    title: 'The sign-in failed',
    text: 'Go back to <app>: it says what went wrong.',
  },
} as const

const style = `
:root{color-scheme:light dark;--ground:#f6f8fa;--panel:#fff;--line:#d1d9e0;--ink:#1f2328;--muted:#59636e;--good:#1a7f37;--bad:#cf222e;--odd:#9a6700}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--panel:#151b23;--line:#3d444d;--ink:#f0f6fc;--muted:#9198a1;--good:#3fb950;--bad:#f85149;--odd:#d29922}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:min(26rem,calc(100vw - 2rem));padding:2.5rem 2rem;text-align:center;background:var(--panel);border:1px solid var(--line);border-radius:12px}
svg{width:56px;height:56px;fill:none;stroke:var(--tone);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
h1{margin:1rem 0 .5rem;font-size:1.4rem}
p{margin:0;overflow-wrap:anywhere;text-wrap:balance}
.quiet{margin-top:1rem;color:var(--muted);font-size:.9rem}
.granted{--tone:var(--good)}.refused{--tone:var(--bad)}.failed{--tone:var(--odd)}
`

/** Goes with it: no script, no frame, nothing from elsewhere, and no trace of the address, which holds a code. */
export const endingPageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const

function policy(): string {
  const digest = createHash('sha256').update(style).digest('base64')
  const sources = ["default-src 'none'", `style-src 'sha256-${digest}'`]
  return [...sources, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; ')
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
