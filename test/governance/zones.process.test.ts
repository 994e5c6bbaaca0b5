import { linkSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_ZONES } from '../../engine/governance/built-in-zones.ts'
import { decide, type Facts } from '../../engine/governance/decide.ts'
import { judgePath } from '../../engine/governance/paths.ts'
import { makeDefaultPolicy } from '../../engine/governance/policy.ts'
import { findStrictest, findZone, isProtected, type Zone, zoneHits } from '../../engine/governance/zones.ts'
import { ENFORCEMENTS } from '../../engine/sources/config/values.ts'
import { ground, write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import fc from '../made/property.ts'
import { call, place, refused, register } from './governed.ts'

describe('each built-in zone', () => {
  const cases = BUILT_IN_ZONES.map(zone => [zone.name, zone] as const)
  it.each(cases)('%s holds the paths that its table says lie in it', (_, zone) => {
    for (const path of zone.match) expect(zoneHits([zone], [path]), path).toHaveLength(1)
  })
  it.each(cases)('%s holds none of the paths that only look like it', (_, zone) => {
    for (const path of zone.clean) expect(zoneHits([zone], [path]), path).toEqual([])
  })
  it.each(cases)('%s holds its paths in capitals too', (_, zone) => {
    for (const path of zone.match) expect(zoneHits([zone], [path.toUpperCase()]), path).toHaveLength(1)
  })
  it('has the enforcement that the specification names', () => {
    expect(Object.fromEntries(BUILT_IN_ZONES.map(({ name, enforcement }) => [name, enforcement]))).toEqual({
      auth: 'hitl',
      secrets: 'block',
      config: 'warn',
      billing: 'hitl',
      database: 'warn',
      crypto: 'hitl',
    })
  })
})

describe('always protected', () => {
  it.each([
    '.svc/config.yaml',
    '.SVC/config.yaml',
    'sub/.svc/config.yaml',
    '.git/hooks/pre-commit',
    'vendor/lib/.git/config',
    '.husky/pre-commit',
    '.github/workflows/ci.yml',
    '.GitHub/Workflows/ci.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    '.claude/settings.json',
    'pkg/.cursor/hooks.json',
    '.mcp.json',
    '.vscode/settings.json',
  ])('is %s', path => {
    expect(isProtected(path)).toBe(true)
  })
  it.each(['src/svc/config.yaml', '.github/ISSUE_TEMPLATE.md', 'docs/claude.md', '.gitignore', 'src/git/hooks.ts'])(
    'is not %s',
    path => {
      expect(isProtected(path)).toBe(false)
    },
  )
})

const NAMES = ['src', 'auth', 'db', 'a.ts', 'b.sql', '.env'] as const
const aZone: fc.Arbitrary<Zone> = fc.record({
  name: fc.string({ minLength: 1, maxLength: 4 }),
  patterns: fc.array(fc.constantFrom('**', 'src/**', '**/*.sql', 'auth/**', '!src/a.ts', '**/.env', 'db'), {
    minLength: 1,
    maxLength: 3,
  }),
  enforcement: fc.constantFrom(...ENFORCEMENTS),
})
const aPath = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map(parts => parts.join('/'))
const RANK = { allowed: 0, warned: 1, pending: 2, refused: 3 }

function decisionIn(zones: readonly Zone[], paths: readonly string[]) {
  const policy = { ...makeDefaultPolicy(), blast_radius: { enabled: true, default_enforcement: 'warn' as const } }
  const facts: Facts = {
    policy,
    agent: 'x',
    person: false,
    credential: 'none',
    frozen: false,
    trust: 'admin',
    granted: [],
    bound: true,
    action: 'auto_fix_low',
    unbound: false,
    outside: [],
    unclear: [],
    protected: [],
    zones: zoneHits(zones, paths),
  }
  return decide(facts).decision
}

describe('zones that overlap', () => {
  it('answer the same in whatever order they and the paths stand', () => {
    fc.assert(
      fc.property(fc.array(aZone, { maxLength: 6 }), fc.array(aPath, { maxLength: 4 }), fc.nat(), (zones, paths, n) => {
        const turned = [...zones.slice(n % (zones.length + 1)), ...zones.slice(0, n % (zones.length + 1))].reverse()
        expect(decisionIn(turned, [...paths].reverse())).toBe(decisionIn(zones, paths))
      }),
      { numRuns: 300 },
    )
  })
  it('never allow more for one zone more', () => {
    fc.assert(
      fc.property(fc.array(aZone, { maxLength: 6 }), aZone, fc.array(aPath, { maxLength: 4 }), (zones, more, paths) => {
        expect(RANK[decisionIn([...zones, more], paths)]).toBeGreaterThanOrEqual(RANK[decisionIn(zones, paths)])
      }),
      { numRuns: 300 },
    )
  })
  it('have the sternest hold: block before hitl before warn', () => {
    const zones = (['warn', 'hitl', 'block'] as const).map(name => ({ name, patterns: ['**'], enforcement: name }))
    expect(findZone(zones, 'a')).toBe('block')
    expect(findZone(zones.slice(0, 2), 'a')).toBe('hitl')
    expect(findStrictest([])).toBeUndefined()
  })
})

describe('a path is judged by what it stands for', () => {
  const root = join(ground(), 'repo')
  write(root, { 'src/a.js': 'x', 'lib/b.js': 'y', '.svc/config.yaml': '' })
  symlinkSync('../lib', join(root, 'src/link'))
  symlinkSync('/etc', join(root, 'src/out'))
  symlinkSync('/nowhere/at/all', join(root, 'src/gone'))
  symlinkSync('../lib/later.js', join(root, 'src/later'))
  symlinkSync('round', join(root, 'src/round'))
  linkSync(join(root, 'lib/b.js'), join(root, 'src/hard.js'))

  it('with `..` resolved', () => {
    expect(judgePath(root, join(root, 'src'), '../.svc/config.yaml')).toMatchObject({ paths: ['.svc/config.yaml'] })
  })
  it('as itself and as where its links lead', () => {
    expect(judgePath(root, root, 'src/link/new.js')).toMatchObject({ paths: ['src/link/new.js', 'lib/new.js'] })
  })
  it('as where a link leads that leads to nothing yet, since writing it makes that', () => {
    expect(judgePath(root, root, 'src/later')).toMatchObject({ paths: ['src/later', 'lib/later.js'] })
    expect(judgePath(root, root, 'src/later/x/y.js')).toMatchObject({
      paths: ['src/later/x/y.js', 'lib/later.js/x/y.js'],
    })
  })
  it('the same from a root that was reached by a link', () => {
    const other = join(ground(), 'other')
    symlinkSync(root, other)
    expect(judgePath(root, root, join(other, 'src/a.js'))).toMatchObject({ paths: ['src/a.js'] })
  })
  it.each([
    ['src/out/passwd', 'outside'],
    ['src/out/not/there/yet', 'outside'],
    ['src/gone', 'outside'],
    ['src/gone/new/file.js', 'outside'],
    ['src/round', 'cannot be followed'],
    ['src/round/new.js', 'cannot be followed'],
    ['src/a.js/below-a-file.js', 'cannot be followed'],
    ['../x', 'outside'],
    ['/etc/passwd', 'outside'],
    ['src/a\0.js', 'invisible|NUL'],
    ['.s\u200cvc/config.yaml', 'invisible character'],
    ['src/cafe\u0301.js', 'composed form'],
    ['/proc/self/cwd/src/a.js', 'each process'],
    ['/dev/fd/3', 'each process'],
    ['src/hard.js', 'hard links'],
    ['', 'empty'],
  ])('and %j is refused', (path, why) => {
    const judged = judgePath(root, root, path)
    expect('reason' in judged ? judged.reason : 'allowed').toMatch(new RegExp(why))
  })
})

describe('blast-check', () => {
  it('names the zones of files, with the built-in ones where none are configured', async () => {
    const { output } = await call(place(), 'nobody', 'governance.blast-check', {
      files: ['src/auth/db/login.sql', 'src/a.js', '.svc/config.yaml'],
    })
    expect(output).toMatchObject({ clear: false, enforcement: 'block', enabled: false, checked: 3 })
    expect(output.touched).toEqual([
      expect.objectContaining({ path: 'src/auth/db/login.sql', enforcement: 'hitl', protected: false }),
      expect.objectContaining({ path: '.svc/config.yaml', enforcement: 'block', protected: true }),
    ])
  })
  it('sees what is staged: deletions, and both names of a rename', async () => {
    const where = place('', { 'src/auth/old.ts': 'x\n' })
    renameSync(join(where.root, 'src/auth/old.ts'), join(where.root, 'src/new.ts'))
    git(where.root, 'add', '-A')
    const { output } = await call(where, 'nobody', 'governance.blast-check', { staged: true })
    expect(output).toMatchObject({ clear: false, enforcement: 'hitl', checked: 2 })
    expect(output.touched).toMatchObject([{ path: 'src/auth/old.ts' }])
  })
  it('lets configured zones take the place of the built-in ones', async () => {
    const where = place('blast_radius:\n  zones: [{ name: docs, patterns: ["doc/**"], enforcement: warn }]')
    const { output } = await call(where, 'nobody', 'governance.blast-check', { files: ['doc/b.md', 'src/auth/x.ts'] })
    expect(output).toMatchObject({ clear: true, enforcement: 'warn' })
    expect(output.touched).toMatchObject([{ path: 'doc/b.md', zones: [{ zone: 'docs', enforcement: 'warn' }] }])
    const { output: list } = await call(where, 'nobody', 'governance.zones')
    expect(list).toMatchObject({ built_in: false, zones: [{ name: 'docs' }] })
  })
  it('makes no records', async () => {
    const where = place()
    await call(where, 'nobody', 'governance.blast-check', { files: ['x'] })
    expect(git(where.root, 'status', '--porcelain', '--ignored')).toBe('')
  })
})

describe('with zones enforced', () => {
  const ON = 'blast_radius: { enabled: true }\nagent_defaults:\n  trust_by_agent: { builder: fix:any }'
  const fix = (file_path: string) => ({ file_path, fixed_code: 'x', start_line: 1, end_line: 1 })
  it('a fix in a zone that blocks is refused, and one in a zone for humans waits for one', async () => {
    const where = place(ON, { 'config/secrets.yml': 'a\n', 'src/auth/x.ts': 'a\n' })
    const agent = await register(where, 'builder', { scopes: '*' })
    expect((await refused(where, agent, 'fixes.apply', fix('config/secrets.yml'))).message).toContain('zone secrets')
    const held = await refused(where, agent, 'fixes.apply', fix('src/auth/x.ts'))
    expect(held.code).toBe('APPROVAL_NEEDED')
    await call(where, agent, 'fixes.apply', fix('src/a.js'))
  })
  it('findings in a zone go up by one severity before the gate judges them', async () => {
    const code =
      'package a\n\nimport "crypto/md5"\n\nfunc hashPassword(password string) [16]byte {\n\treturn md5.Sum([]byte(password))\n}\n'
    const files = { 'src/auth/x.go': code, 'src/y.go': code }
    const { output } = await call(place('blast_radius: { enabled: true }', files), 'person', 'scan.run', {
      repo_path: '.',
    })
    const inZone = output.findings.filter(({ file }: { file: string }) => file === 'src/auth/x.go')
    const outside = output.findings.filter(({ file }: { file: string }) => file === 'src/y.go')
    expect(inZone.length).toBeGreaterThan(0)
    const severities = ['critical', 'high', 'medium', 'low', 'info']
    for (const finding of inZone) {
      expect(finding.zone).toBe('auth')
      const at = severities.indexOf(finding.base_severity)
      expect(finding.severity).toBe(severities[Math.max(0, at - 1)])
    }
    for (const finding of outside) expect(finding).toMatchObject({ severity: finding.base_severity })
    expect(outside[0].zone).toBeUndefined()
  })
})
