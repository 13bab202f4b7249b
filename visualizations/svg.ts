import { instance } from '@viz-js/viz'
import type { Chart } from '../src/diagram/chart.ts'
import { type DotOptions, toDot } from '../src/diagram/dot.ts'
import { escapeHtml } from '../src/diagram/dot-text.ts'
import { colours } from '../src/diagram/theme.ts'

/** Draws a chart. The element of every state has the state node's id, so a page can light the active ones. */
export async function toSvg(chart: Chart, options: DotOptions = {}): Promise<string> {
  const viz = await instance()
  return tidy(viz.renderString(toDot(chart, options), { format: 'svg' }), chart)
}

function tidy(svg: string, chart: Chart): string {
  return (
    svg
      .slice(svg.indexOf('<svg'))
      // Graphviz leaves empty outlines, and its own names in comments and in titles that browsers show as tooltips.
      .replaceAll(/<!--.*?-->\n|<title>.*?<\/title>\n|<polygon fill="none" stroke="none"[^>]*>\n/gs, '')
      .replace('<svg', () => `<svg role="img" aria-label="The ${escapeHtml(chart.id)} statechart"`)
      .replaceAll('font-family="Arial"', 'font-family="Arial, Helvetica, sans-serif"')
      .replaceAll(/( \[[^[\]]*\])<\/text>/g, `<tspan fill="${colours.muted}">$1</tspan></text>`)
  )
}
