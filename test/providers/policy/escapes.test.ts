// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a shell expands these
import { describe, expect, it } from 'vitest'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'

/** Where one program may run, whatever its arguments. */
const decision = (command: string, script: string) =>
  new RuleSet([{ tool: 'sh_run', decision: 'allow', command }]).evaluate('sh_run', {
    command: 'bash',
    args: ['-c', script],
  }).decision

describe('what a permitted program does itself is permitted', () => {
  it.each([
    "sed 's/a/b/' x",
    "sed -n '1,5p' x",
    "sed -i.bak -e 's/a/b/g' -e '/x/d' x y",
    "sed 's|/usr|/opt|; s,a,b,2' x",
    "sed -E 's/(a|b)[0-9]+/\\1/gI' x",
    "sed '$!N; /^\\s*$/d; $a the end' x",
    "sed ':a; N; $!ba; s/\\n/ /g' x",
    'sed -n "/start/,/end/{p;d}" x',
    'sed p "a$X"',
    "awk '{ print $2 }' x",
    "awk -F'|' '$1 == 2 { n += $3 } END { print n }' x",
    'sort -u x',
    'sort -t , -k 2 x',
    'tar xzf x.tgz -C y',
    'tar -cf x.tar y',
    'find . -name "*.ts" -newer x',
    'npm run test -- --watch',
    'npm install',
    'make -j4 test',
    'cargo test --release',
    'go test ./...',
    'less x',
    'curl -fsSL https://example.org/',
    'xargs ls',
  ])('%s', (script) => expect(decision(script.split(' ')[0] ?? '', script)).toBe('allow'))
})

describe('what it makes another do is not', () => {
  it.each([
    'sed "s/a/$X/" y',
    'sed "$X" y',
    'sed -f script y',
    'sed --file=script y',
    'sed p "$X"',
    'sed "s/a/b/w /etc/passwd" y',
    'sed "w /etc/passwd" y',
    'sed "r y;e" x',
    'sed s/a/b/e y',
    "sed 's/[/]/x/;1e rm y' z",
    "sed -n '/x/e rm y' z",
    "sed '1!e rm y' z",
    "sed 's/a/b/;e' z",
    `awk "$X"`,
    'awk "{ print $X }" y',
    `awk '{ print > "/etc/passwd" }' y`,
    `awk 'BEGIN { f = "sys" "tem"; @f("rm x") }'`,
    'awk \'BEGIN { system ("rm x") }\'',
    'awk -f script',
    'awk -E script',
    'tar -cf x y --to-c=rm',
    'tar cFf rm y z',
    'tar -I "rm x" -cf y z',
    'find "$X"',
    'find . -exec rm x +',
    'make "SHELL$X"',
    'make test CC="rm x"',
    'make --eval="\\$(shell rm x)"',
    'make -C /tmp/evil',
    'npm --prefix /tmp/evil run test',
    'npm "e$X" rimraf',
    'npm x rimraf',
    'pnpm dlx rimraf',
    'yarn --cwd /tmp/evil test',
    'cargo test --config "target.x.runner=\'rm\'"',
    'go vet -vettool=/tmp/evil',
    'less +!rm',
    'vi +!rm',
    'rsync -e "rm x" y z:',
    'rg --pre=rm x',
    'curl -K config',
    'ip netns exec x rm y',
  ])('%s', (script) => expect(decision(script.split(' ')[0] ?? '', script)).toBe('ask'))
})

describe('a write is where its command really runs', () => {
  const writes = new RuleSet([{ tool: 'sh_run', decision: 'allow', command: '*', under: '/w' }], {
    roots: { sh: '/w' },
  })
  const written = (script: string) =>
    writes.evaluate('sh_run', { command: 'bash', args: ['-c', script] }).decision

  it.each([
    "find /etc -execdir sh -c 'echo x > a' \\;",
    "find /etc -okdir sh -c 'echo x > a' +",
    "sudo -D /etc sh -c 'echo x > a'",
    "sudo -i sh -c 'echo x > a'",
    "env -C /etc sh -c 'echo x > a'",
    'builtin cd /etc; echo x > a',
    "eval 'cd /etc'; echo x > a",
    'f() { cd /etc; }; f; echo x > a',
  ])('%s', (script) => expect(written(script)).toBe('ask'))

  it('and nowhere else', () => {
    expect(written("find . -exec sh -c 'echo x > a' \\;")).toBe('allow')
  })
})
