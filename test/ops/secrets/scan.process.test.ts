import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import scanRun from '../../../engine/ops/scan/run.ts'
import secrets from '../../../engine/ops/secrets/scan.ts'
import { value } from '../../detect/secrets/made.ts'
import { surface, view } from '../../made/call.ts'
import { ground, write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { INPUT } from './input.ts'

const PASSWORD = value('{upper:1}{lower:5}{digits:3}{base62:4}', 'password')
const TOKEN = sample('ghp_{base62:30}{crc32}', 'token')
const home = ground()

async function look(
  root: string,
  more: Partial<Parameters<typeof secrets.run>[0]> = {},
  env: Record<string, string> = {},
) {
  const { context } = surface(root, { env: { XDG_STATE_HOME: home, ...env } })
  return secrets.run({ ...INPUT, ...more }, context)
}
const openOf = ({ secrets: list }: Awaited<ReturnType<typeof look>>) => list.filter(({ status }) => status === 'open')

describe('svc secrets', () => {
  it('reports one secret with all its places, masked, and exits 1', async () => {
    const root = project({
      'a.py': `password = "${PASSWORD}"\n`,
      'conf/b.env': `DB_PASSWORD=${PASSWORD}\n`,
      'c.txt': 'nothing\n',
    })
    const output = await look(root)
    expect(output.secrets).toHaveLength(1)
    expect(output.secrets[0]!.places.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.py:1', 'conf/b.env:1'])
    expect(JSON.stringify(output)).not.toContain(PASSWORD)
    expect(secrets.exit!(output)).toBe(1)
  })

  it('lists no findings of another kind, and leaves them out of the baseline', async () => {
    const root = project({ 'requirements.yaml': 'requirements:\n  - id: SHOP-1\n    tittle: misspelled\n' })
    expect((await look(root)).secrets).toEqual([])
    expect((await look(root, { baseline: true })).held).toBe(0)
  })

  it('exits 0 where there is none', async () => {
    const output = await look(project({ 'a.py': 'password = os.environ["PASSWORD"]\n' }))
    expect([output.secrets, secrets.exit!(output)]).toEqual([[], 0])
  })

  it.each([false, true])(
    'where a search was broken off says so and exits 1, for what is there is not known (history: %s)',
    async history => {
      const lines = Array.from({ length: 20_000 }, (_, at) => `curl -u a:b${at}\n`).join('')
      const root = project({ 'a.sh': lines, '.svc/config.yaml': 'scan: { rule_deadline_ms: 100 }\n' })
      const output = await look(root, { history })
      expect(output.not_evaluated).toContainEqual({ rule_id: expect.any(String), file: 'a.sh', reason: 'timed_out' })
      expect(secrets.exit!({ ...output, open: 0 })).toBe(1)
      expect(secrets.text(output, view)).toContain('1 file was searched only partly')
    },
  )

  it('looks at the index and not at the working file with --staged, and at what is staged alone', async () => {
    const root = project({ 'old.py': `token = "${TOKEN}"\n`, 'a.py': 'x = 1\n' })
    write(root, { 'a.py': `password = "${PASSWORD}"\n` })
    git(root, 'add', 'a.py')
    write(root, { 'a.py': 'x = 2\n' })
    const places = openOf(await look(root, { staged: true })).flatMap(secret => secret.places.map(({ file }) => file))
    expect(places).toEqual(['a.py'])
  })

  it('judges with --git-range only what the range brings', async () => {
    const root = project({ 'a.py': `token = "${TOKEN}"\n` })
    write(root, { 'a.py': `token = "${TOKEN}"\npassword = "${PASSWORD}"\n` })
    git(root, 'commit', '-qam', 'second')
    const open = openOf(await look(root, { git_range: 'HEAD~1..HEAD' }))
    expect(open.map(({ rule_id }) => rule_id)).toEqual(['secret-generic-password'])
  })

  it('finds in the history what is gone, with the commit and author that brought it, and says what is still at HEAD', async () => {
    const root = project({ 'a.py': `token = "${TOKEN}"\n`, 'b.py': `password = "${PASSWORD}"\n` })
    const brought = git(root, 'rev-parse', 'HEAD').toString().trim()
    write(root, { 'a.py': `# moved\ntoken = "${TOKEN}"\n` })
    git(root, 'commit', '-qam', 'second')
    write(root, { 'a.py': 'token = load()\n' })
    git(root, 'commit', '-qam', 'third')
    const { secrets: list, commits } = await look(root, { history: true })
    const byRule = new Map(list.map(secret => [secret.rule_id, secret]))
    expect(commits).toBe(3)
    expect(byRule.get('secret-github-token')).toMatchObject({
      at_head: false,
      places: [{ file: 'a.py', line: 1, commit: brought }],
    })
    expect(byRule.get('secret-generic-password')).toMatchObject({ at_head: true })
    expect(byRule.get('secret-github-token')!.places[0]!.author).toMatch(/<.*@.*>/)
  })

  it('looks into standard input', async () => {
    const { context } = surface('/')
    const output = await secrets.run(
      { ...INPUT, stdin: true },
      { ...context, readStdin: async () => `password: ${PASSWORD}\n` },
    )
    expect(openOf(output)).toHaveLength(1)
  })

  it.each([
    ['staged', { staged: true, history: true }],
    ['baseline', { baseline: true, staged: true }],
  ])('refuses %s beside what excludes it', async (_, more) => {
    await expect(look(project({ 'a.py': 'x\n' }), more)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  it('refuses a provider that it cannot ask, and names the one that was probably meant', async () => {
    const asked = look(project({ 'a.py': 'x\n' }), { verify: true, providers: ['GitHup'] })
    await expect(asked).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'GitHup is not a provider with verification; did you mean GitHub?',
    })
  })

  it('refuses providers without --verify, since none of them would be asked', async () => {
    const asked = look(project({ 'a.py': 'x\n' }), { providers: ['GitHub'] })
    await expect(asked).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('--providers requires --verify'),
    })
  })

  it.each(['not an address', 'localhost:8080', `http://robot:${PASSWORD}@localhost`])(
    'refuses to ask %j, which is no address that can be asked, and does not repeat it',
    async base => {
      const asked = look(project({ 'a.py': 'x\n' }), { verify: true }, { SVC_VERIFY_BASE: base })
      await expect(asked).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: 'SVC_VERIFY_BASE is no address that can be asked.',
      })
    },
  )
})

describe('the identity of a secret', () => {
  it('is held by the baseline through a move to another file, and the secret fires again when its value changes', async () => {
    const root = project({ 'a.py': `password = "${PASSWORD}"\n` })
    expect((await look(root, { baseline: true })).held).toBe(1)
    expect(openOf(await look(root))).toEqual([])
    git(root, 'mv', 'a.py', 'b.py')
    write(root, { 'b.py': `# here now\nx = 1\npassword = "${PASSWORD}"\n` })
    expect(openOf(await look(root))).toEqual([])
    write(root, { 'b.py': `password = "${PASSWORD}9x"\n` })
    expect(openOf(await look(root))).toHaveLength(1)
  })

  it('is another one under another key, so that reports of two repositories cannot be compared', async () => {
    const files = { 'a.py': `password = "${PASSWORD}"\n` }
    const [one, two] = [project(files), project(files)]
    const ids = async () => Promise.all([one, two].map(async root => (await look(root)).secrets[0]!.id))
    const [first, second] = await ids()
    expect(first).toBe(second)
    await look(one, { baseline: true })
    await look(two, { baseline: true })
    const [third, fourth] = await ids()
    expect(third).not.toBe(fourth)
    expect(third).not.toBe(first)
  })

  it('is refused where its key is damaged', async () => {
    const root = project({ 'a.py': `password = "${PASSWORD}"\n`, '.svc/secrets.salt': 'short\n' })
    await expect(look(root)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('leaves the entries of other rules in the baseline alone', async () => {
    const entry = { fingerprint: 'a'.repeat(32), rule_id: 'js-eval-dynamic', file: 'x.js', line: 1 }
    const root = project({
      'a.py': `password = "${PASSWORD}"\n`,
      '.svc/baseline.json': JSON.stringify({ version: 1, tool_version: '0.1.0', run_id: 'r', entries: [entry] }),
    })
    await look(root, { baseline: true })
    expect(readFileSync(join(root, '.svc/baseline.json'), 'utf8')).toContain(entry.fingerprint)
  })
})

describe('suppressions', () => {
  it('hold for secrets as for any rule, and unused ones are named', async () => {
    const root = project({
      'a.py': `# svc-ignore: secret-generic-password -- a sample\npassword = "${PASSWORD}"\n`,
      'b.py': '# svc-ignore: secret-generic-token -- nothing here\nx = 1\n',
    })
    const output = await look(root)
    expect(output.secrets.map(({ status }) => status)).toEqual(['suppressed'])
    expect(output.notices.map(({ file }) => file)).toEqual(['b.py'])
  })
})

describe('no value', () => {
  it('is in anything that a scan, a baseline, a history or an error writes', async () => {
    const root = project({
      'a.py': `password = "${PASSWORD}"\nurl = "https://bob:${PASSWORD}@host.io/"\neval(input("${PASSWORD}"))\n`,
      'b.py': `eval("${TOKEN}")\ntoken = "${TOKEN}"\n`,
      '.svc/suppressions.yaml': '- rule: secret-generic-password\n  file: none/**\n  reason: unused\n',
    })
    const told: unknown[] = []
    const { context, events, notices } = surface(root)
    told.push(
      await scanRun.run(
        { repo_path: '.', cache: true, staged: false, actionable_only: false, update_baseline: true, dry_run: false },
        context,
      ),
    )
    for (const more of [{}, { history: true }, { baseline: true }, { explain: true }]) {
      const output = await look(root, more)
      told.push(output, secrets.text(output, { verbose: true, quiet: false, paint: (_, text) => text, width: 80 }))
    }
    told.push(events, notices)
    const written = JSON.stringify(told) + filesBelow(join(root, 'out')) + filesBelow(join(root, '.svc'))
    expect(written).toContain('secret-github-token')
    for (const secret of [PASSWORD, TOKEN, TOKEN.slice(4, 24)]) expect(written.includes(secret)).toBe(false)
  })
})

describe('a secret that several rules report', () => {
  const KEY = sample('sk_live_{base62:24}', 'stripe')
  const IDS = ['secret-stripe-live-key', 'secret-generic-key']

  it('is named by the most specific one, with its severity, and lists the others', async () => {
    const { secrets: list } = await look(project({ 'a.py': `stripe_key = "${KEY}"\n` }))
    expect(list).toMatchObject([{ rule_id: IDS[0], also: [IDS[1]], severity: 'critical' }])
    expect(secrets.text({ ...(await look(project({ 'a.py': `stripe_key = "${KEY}"\n` }))) }, view)).toContain(
      'secret-stripe-live-key (also secret-generic-key)',
    )
  })

  it('is named by it in every location of the value', async () => {
    const root = project({ 'a.py': `shop_key = "${TOKEN.slice(4)}"\n`, 'b.py': `shop_key = "${KEY}"\n`, 'c.txt': KEY })
    const { secrets: list } = await look(root)
    expect(list.map(({ rule_id, places }) => [rule_id, places.length])).toEqual([
      ['secret-stripe-live-key', 2],
      ['secret-generic-key', 1],
    ])
  })

  it.each(IDS)('is suppressed by a comment with the id %s, which is then no unused one', async id => {
    const root = project({ 'a.py': `stripe_key = "${KEY}"  # svc-ignore: ${id} -- a test account\n` })
    const output = await look(root)
    expect([openOf(output), output.notices]).toEqual([[], []])
  })

  it.each(IDS)('is suppressed by an entry of .svc/suppressions.yaml with the id %s', async id => {
    const root = project({
      'a.py': `stripe_key = "${KEY}"\n`,
      '.svc/suppressions.yaml': `- rule: ${id}\n  file: a.py\n  reason: a test account\n`,
    })
    const output = await look(root)
    expect([openOf(output), output.notices]).toEqual([[], []])
  })

  it('shows nothing of the text that only an alias takes for the value', async () => {
    const rest = value('{base62:20}', 'rest')
    const output = await look(project({ 'a.yaml': `password: "${KEY}/${rest}"\n` }))
    expect(JSON.stringify(output)).not.toContain(rest.slice(0, 12))
  })
})

describe('--verify', () => {
  it.each([
    [200, 'live'],
    [401, 'dead'],
    [500, 'unknown'],
  ])('calls a credential to which its provider answers %d %s', async (status, liveness) => {
    const asked: IncomingMessage[] = []
    const server = createServer((request, response) => {
      asked.push(request)
      response.writeHead(status).end('{}')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const root = project({ 'a.py': `token = "${TOKEN}"\n`, 'b.py': `password = "${PASSWORD}"\n` })
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { secrets: list } = await look(root, { verify: true }, { SVC_VERIFY_BASE: base })
      const byRule = new Map(list.map(secret => [secret.rule_id, secret.liveness]))
      expect(byRule.get('secret-github-token')).toBe(liveness)
      expect(byRule.get('secret-generic-password')).toBe('unknown')
      expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/user', `Bearer ${TOKEN}`]])
    } finally {
      server.close()
    }
  })

  it('reads no more than the beginning of an answer that goes on for ever', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const root = project({ 'a.py': `token = "${TOKEN}"\n` })
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { secrets: list } = await look(root, { verify: true }, { SVC_VERIFY_BASE: base })
      expect(list.map(({ liveness }) => liveness)).toEqual(['live'])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('asks nobody who is not allowed, and nobody without being told to', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.end('{}')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const root = project({ 'a.py': `token = "${TOKEN}"\n` })
      const env = { SVC_VERIFY_BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
      await look(root, {}, env)
      await look(root, { verify: true, providers: ['GitLab'] }, env)
      expect(asked).toBe(0)
      await look(root, { verify: true, providers: ['github'] }, env)
      expect(asked).toBe(1)
    } finally {
      server.close()
    }
  })
})

function filesBelow(folder: string): string {
  if (!existsSync(folder)) return ''
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    .join('\n')
}
