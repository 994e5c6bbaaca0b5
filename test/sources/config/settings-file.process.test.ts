import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readBaseline } from '../../../engine/findings/baseline-file.ts'
import { readSuppressions } from '../../../engine/findings/suppression-file.ts'
import { HOOKED_AGENTS, installAgentHook } from '../../../engine/hook/agent-settings.ts'
import validate from '../../../engine/ops/config/validate.ts'
import { computeIdentityKey } from '../../../engine/sources/config/identity-key.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { loadPacks } from '../../../engine/sources/packs/load.ts'
import { context, refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { repository } from '../../made/project.ts'

/** How each settings file is read: by what a scan, a hook or the installation calls. */
const FILES: Record<string, (root: string) => unknown> = {
  '.svc/config.yaml': root => loadConfig(root),
  '.guard.yaml': root => loadConfig(root),
  'app/.svc/config.yaml': root => loadConfig(root, { files: ['app/.svc/config.yaml'] }),
  'ci/svc.yaml': root => loadConfig(root, { path: 'ci/svc.yaml' }),
  '.svc/suppressions.yaml': root => readSuppressions(root),
  '.svc/baseline.json': root => readBaseline(root),
  '.svc/secrets.salt': root => computeIdentityKey(root),
  '.svc/packs/acme/pack.yaml': root => loadPacks(root),
  '.svc/packs/acme/rules/acme-one.yaml': root => loadPacks(withPack(root)),
  '.svc/packs/acme/detectors/acme-key.yaml': root => loadPacks(withPack(root)),
  '.svc/rules/local-one.yaml': root => loadPacks(root),
  '.claude/settings.local.json': root => installAgentHook(root, 'claude-code', { node: 'node', svc: 'svc' }),
  '.cursor/hooks.json': root => installAgentHook(root, 'cursor', { node: 'node', svc: 'svc' }),
}

/** What whoever writes a repository could put in a file's place, and what is said of it. */
const KINDS: Record<string, { put: (path: string) => void; says: RegExp }> = {
  'a link to a device': { put: path => symlinkSync('/dev/zero', path), says: /to a target outside the repository/ },
  "a link to the process's environment": {
    put: path => symlinkSync('/proc/self/environ', path),
    says: /to a target outside the repository/,
  },
  'a link to a file outside': {
    put: path => symlinkSync('/etc/passwd', path),
    says: /to a target outside the repository/,
  },
  'a broken link': { put: path => symlinkSync('gone', path), says: /broken symbolic link/ },
  'a circle of links': {
    put: path => {
      symlinkSync('second.yaml', path)
      symlinkSync(path, join(dirname(path), 'second.yaml'))
    },
    says: /form a loop/,
  },
  'a named pipe': { put: path => execFileSync('mkfifo', [path]), says: /is not a regular file but a named pipe/ },
  'a directory': { put: path => mkdirSync(path), says: /is a directory/ },
  'a socket': { put: listen, says: /is not a regular file/ },
  'a file of 300 MB': {
    put: path => {
      writeFileSync(path, '')
      truncateSync(path, 300 << 20)
    },
    says: /has more than \d+ bytes/,
  },
}

function withPack(root: string): string {
  writeFileSync(join(root, '.svc/packs/acme/pack.yaml'), 'id: acme\nversion: 1.0.0\nname: Acme\ndescription: x\n')
  return root
}

function listen(path: string): void {
  // A socket has a short name, whatever the folder is called: it is bound from within.
  const here = process.cwd()
  process.chdir(dirname(path))
  const server = createServer().listen(path.slice(dirname(path).length + 1))
  process.chdir(here)
  onTestFinished(() => void server.close())
}

const make = (root: string, file: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  return join(root, file)
}

describe.each(Object.entries(FILES))('%s', (file, read) => {
  test.each(Object.entries(KINDS))('is refused at once where it is %s, with what to do', async (_, { put, says }) => {
    const root = repository()
    put(make(root, file))
    const error = await refusal(() => read(root))
    const [fault] = [...error.faults, error]
    expect(fault!.message).toMatch(says)
    expect(fault!.message).toContain(file)
    expect(`${error.hint} ${fault!.message}`).toContain('Replace')
    expect(['CONFIG_INVALID', 'PACK_INVALID']).toContain(error.code)
    expect(`${error.message} ${error.hint}`).not.toMatch(/root:|PATH=|\/nologin/)
  })

  test('is refused where a directory on the way leads outside', async () => {
    const root = repository()
    const outside = folder({ [`x/${file.split('/').slice(1).join('/') || 'file'}`]: 'gate: {}\n' })
    const [first] = file.split('/')
    if (first === file) symlinkSync(join(outside, 'x/file'), join(root, file))
    else symlinkSync(join(outside, 'x'), join(root, first!))
    const error = await refusal(() => read(root))
    expect([...error.faults, error][0]!.message).toMatch(/to a target outside the repository/)
  })
})

describe('a link inside the repository', () => {
  test('is followed, for a file and for a directory', async () => {
    const root = repository({
      'tools/svc/config.yaml': 'gate: { fail_on: [low] }\n',
      'tools/svc/suppressions.yaml': '- rule: a\n  reason: b\n',
    })
    symlinkSync('tools/svc', join(root, '.svc'))
    expect((await loadConfig(root)).gate.fail_on).toEqual(['low'])
    expect(await readSuppressions(root)).toHaveLength(1)
    rmSync(join(root, '.svc'))
    mkdirSync(join(root, '.svc'))
    symlinkSync('../tools/svc/config.yaml', join(root, '.svc/config.yaml'))
    expect((await loadConfig(root)).gate.fail_on).toEqual(['low'])
  })
})

describe('a configuration that the user names', () => {
  test('may stand outside, and be reached by a link there', async () => {
    const root = repository()
    const other = folder({ 'real.yaml': 'gate: { fail_on: [low] }\n' })
    symlinkSync('real.yaml', join(other, 'svc.yaml'))
    expect((await loadConfig(root, { path: join(other, 'svc.yaml') })).gate.fail_on).toEqual(['low'])
  })

  test.each(['/dev/zero', '/dev/urandom'])('is no device: %s', async path => {
    const error = await refusal(() => loadConfig(repository(), { path }))
    expect(error.message).toMatch(/is not a regular file but a device/)
  })
})

describe('an error in a settings file', () => {
  const TOKEN = ['ghp', 'x9'.repeat(18)].join('_')
  test.each([
    ['a bare line', `${TOKEN}\n`],
    ['lines of an environment', `A=1\0GITHUB_TOKEN=${TOKEN}\0PATH=/usr/bin\n`],
    ['a key with the value in it', `GITHUB_TOKEN=${TOKEN} and: more\n`],
    ['a quoted line', `"${TOKEN}\n`],
    ['a line at a flow map', `{ a: b ${TOKEN}: ]\n`],
    ['a block header', `a: |${TOKEN}\n`],
    ['a directive', `%${TOKEN} x\n---\na: b\n`],
    ['a key that stands twice', `GITHUB_TOKEN=${TOKEN}: a\nGITHUB_TOKEN=${TOKEN}: a\n`],
    ['an alias', `a: *${TOKEN}\n`],
    ['a tag', `a: !${TOKEN}${TOKEN} b\n`],
    ['an escape', `a: "\\q${TOKEN}"\n`],
    ['a list', `- ${TOKEN}\n- '${TOKEN}'\n`],
  ])('quotes nothing of %s', async (_, text) => {
    for (const [file, read] of Object.entries(FILES)) {
      if (file.startsWith('.c')) continue
      const root = repository()
      writeFileSync(make(root, file), text)
      const error = await refusal(() => read(root))
      const all = [error.message, error.hint, ...error.faults.map(({ message }) => message)].join('\n')
      expect(all, file).not.toContain(TOKEN)
    }
  })

  test('quotes the key that is not known', async () => {
    const error = await refusal(() => loadConfig(repository({ '.svc/config.yaml': 'fail_onn: [high]\n' })))
    expect(error.message).toContain('fail_onn is not a known key')
  })
})

test('validate-config lists a configuration that cannot be read beside the faults of other files', async () => {
  const root = repository({ '.svc/suppressions.yaml': 'no list\n' })
  execFileSync('mkfifo', [join(root, '.svc/config.yaml')])
  const { valid, faults } = await validate.run({}, context(root))
  expect(valid).toBe(false)
  expect(faults.map(({ message }) => message).join('\n')).toMatch(/named pipe[\s\S]*must be a list/)
})

test('every agent is hooked through a link inside the repository without losing it', () => {
  for (const agent of HOOKED_AGENTS) {
    const root = repository()
    const { hook } = installAgentHook(root, agent, { node: 'node', svc: 'svc' })
    expect(readFileSync(hook, 'utf8')).toContain('svc agent-hook')
  }
})
