// The build after the type check: everything the package offers as few files, since many small ones are most of a cold start.
import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'

const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const library = Object.values(exports).flatMap((target) => target.default ?? [])

// Each is a graph of its own, the fewer files the better; what the entries of one share exists once, classes above all.
await Promise.all([
  bundle(library),
  bundle(Object.values(bin)),
  bundle(['dist/workers/connection-worker.js']),
  bundle(['dist/workers/tool-worker.js']),
  bundle(['dist/workers/search-worker.js']),
  page(),
])

function bundle(outputs) {
  return build({
    entryPoints: outputs.map((path) => path.replace(/^(\.\/)?dist\//, '').replace(/\.js$/, '.ts')),
    outdir: 'dist',
    outbase: '.',
    bundle: true,
    splitting: true,
    // Beside the thread entry, which the pool finds relative to itself.
    chunkNames: 'workers/[name]-[hash]',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
    // Bundled are libraries of many small files that nobody shares with us; not what holds machine code.
    external: [
      '@clack/prompts',
      '@napi-rs/keyring',
      'ajv',
      'commander',
      'jsonc-parser',
      'piscina',
      'unbash',
      'xstate',
    ],
    // For the CommonJS among them.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
}

/** The inspector's page and the drawings it lights, in one folder. */
function page() {
  const drawings = readdirSync('visualizations').filter((name) => /\.(svg|json)$/.test(name))
  return build({
    entryPoints: [
      ...['page.ts', 'page.css', 'page.html'].map((name) => `visualizations/page/${name}`),
      ...drawings.map((name) => `visualizations/${name}`),
    ],
    outdir: 'dist/visualizations',
    entryNames: '[name]',
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    minifyWhitespace: true,
    loader: { '.html': 'copy', '.svg': 'copy', '.json': 'copy' },
    logLevel: 'warning',
  })
}
