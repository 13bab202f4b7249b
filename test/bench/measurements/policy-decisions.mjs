// Decisions per second of a policy with 200 rules, on the caller's thread: what every call of a model pays before it is made.

const provider = { toolsForLlm: async () => [], executeToolCalls: async () => [] }
const programs = ['git', 'npm', 'node', 'docker', 'make', 'cargo', 'go', 'curl', 'rm', 'cp']
const words = ['status', 'run', 'build', 'test', 'push', 'log', 'install', 'x', 'y', 'z']

const rules = [
  ...programs.flatMap((command) =>
    words.map((word) => ({ tool: 'sh_*', decision: 'ask', command, args: [word] })),
  ),
  ...words.flatMap((word) => [
    { tool: 'fs_*', decision: 'deny', under: `/repo/secret/${word}` },
    { tool: 'fs_*', decision: 'allow', under: `/repo/${word}` },
    { tool: 'web_fetch', decision: 'allow', host: `*.${word}.example` },
  ]),
  ...programs.flatMap((program) =>
    words.slice(3).map((word) => ({ tool: `${program}_${word}`, decision: 'allow' })),
  ),
]
if (rules.length !== 200) throw new Error(`${rules.length} rules`)

const nested = (salt) =>
  `if git diff --quiet; then timeout 5 sh -c "cd /work && npm run build 2>&1 | tail -n ${salt}"; else eval 'echo "$(git log -1)"'; fi`

const shell = (salt) => ['sh_run', { command: 'bash', args: ['-lc', nested(salt)] }]
const calls = {
  plain: () => ['fs_write', { path: 'log/today/notes.md', content: 'hello' }],
  'nested-shell': () => shell(5),
  'nested-shell-unseen': (count) => shell(count),
}

export async function measure({ call, warmMs, measureMs }) {
  const { Policy } = await import('mcp-troupe')
  const policy = new Policy({ provider, rules, roots: { fs: '/repo', sh: '/repo' } })
  let count = 0
  const decideFor = (durationMs) => {
    const startedAt = performance.now()
    const before = count
    while (performance.now() - startedAt < durationMs) {
      for (let turn = 0; turn < 100; turn += 1) policy.grantDecision(...calls[call](count++))
    }
    return ((count - before) * 1000) / (performance.now() - startedAt)
  }
  decideFor(warmMs)
  return { decisionsPerSecond: decideFor(measureMs) }
}
