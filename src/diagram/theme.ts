/** How a picture looks: colours by kind of text, and Graphviz attributes by kind of element. */
export const colours = {
  ink: '#1f2328',
  muted: '#59636e',
  line: '#818b98',
  event: '#1f2328',
  result: '#0969da',
  error: '#cf222e',
  after: '#9a6700',
  done: '#1a7f37',
  always: '#59636e',
  default: '#59636e',
  actor: '#0969da',
  action: '#59636e',
} as const

// Arial, Helvetica and Liberation Sans share their metrics, so text fits the boxes laid out for it on every system.
const font = { fontname: 'Arial', fontcolor: colours.ink }
const line = { color: colours.line, penwidth: 1.1 }

export const drawing = {
  graph: { ...font, bgcolor: 'transparent', nodesep: 0.3, ranksep: 0.3, pad: 0.05 },
  node: {
    ...font,
    fontsize: 13,
    shape: 'box',
    style: 'rounded,filled',
    fillcolor: '#ddf4ff',
    color: '#54aeff',
    penwidth: 1.2,
    margin: '0.14,0.08',
    height: 0.45,
  },
  edge: { ...font, ...line, fontsize: 11, arrowsize: 0.7 },
  cluster: {
    labeljust: 'l',
    fontsize: 13,
    style: 'rounded,filled',
    fillcolor: '#f6f8fa',
    color: '#d1d9e0',
    penwidth: 1.2,
    margin: 14,
  },
  outermost: { fontsize: 16, fillcolor: 'white' },
  region: { style: 'rounded,filled,dashed', color: colours.line },
  final: { ...line, peripheries: 2, fillcolor: '#f6f8fa' },
  initial: {
    shape: 'circle',
    label: '',
    width: 0.13,
    height: 0.13,
    fixedsize: 'true',
    fillcolor: colours.ink,
    color: colours.ink,
  },
  history: {
    ...line,
    shape: 'circle',
    width: 0.32,
    height: 0.32,
    fixedsize: 'true',
    margin: 0,
    fillcolor: 'white',
  },
  anyState: {
    ...line,
    label: 'any state',
    style: 'rounded,dashed',
    fontcolor: colours.muted,
    fontsize: 11,
    height: 0.3,
    margin: '0.1,0.04',
  },
  transition: {
    fontsize: 11,
    fillcolor: '#eff2f5',
    color: 'transparent',
    width: 0.2,
    height: 0.2,
    margin: '0.07,0.03',
  },
} satisfies Record<string, Record<string, string | number>>
