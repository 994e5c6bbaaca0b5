import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLIENT_NAMES, type ClientName, getClient } from '../../engine/assistants/clients.ts'
import { initializeAssistants } from '../../engine/assistants/initialize.ts'
import { readJsonc } from '../../engine/supply/inventory/syntax/jsonc.ts'
import { refusal } from '../made/call.ts'
import { folder, ground, write } from '../made/folder.ts'
import fc from '../made/property.ts'

const top = ground()
const init = (
  root: string,
  clients?: ClientName[],
  more: { remove?: boolean; hooks?: boolean; dry_run?: boolean } = {},
) => initializeAssistants(root, { ...(clients && { clients }), hooks: true, remove: false, dry_run: false, ...more })

/** Every file of a directory, its bytes as latin1; directories too. */
function snapshot(root: string, at = ''): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(root, at)).flatMap(name => {
      const path = at === '' ? name : `${at}/${name}`
      if (statSync(join(root, path)).isDirectory()) return [[`${path}/`, ''], ...Object.entries(snapshot(root, path))]
      return [[path, readFileSync(join(root, path), 'latin1')]]
    }),
  )
}

const word = fc.constantFrom('alpha', 'beta', 'Grüße', 'x y', '{', '//', 'svc-like')
const scalar = fc.oneof(
  word.map(text => JSON.stringify(text)),
  fc.integer().map(String),
  fc.constantFrom('true', 'null', '[]', '{}', '["a", 1]'),
)
interface Style {
  eol: string
  indent: string
  comma: string
  comment: string
  block: string
}
const style: fc.Arbitrary<Style> = fc.record({
  eol: fc.constantFrom('\n', '\r\n', ''),
  indent: fc.constantFrom('  ', '\t', '    ', ''),
  comma: fc.constantFrom('', ','),
  comment: fc.constantFrom('', ' // mind "this" {'),
  block: fc.constantFrom('', ' /* { keep } */ '),
})

function makeObject(members: [string, string][], { eol, indent, comma, comment, block }: Style): string {
  const note = eol === '' ? '' : comment
  const inner = members
    .map(([key, value]) => `${indent}${JSON.stringify(key)}:${block} ${value}`)
    .join(`,${note}${eol}`)
  const tail = members.length > 0 ? comma : ''
  return `{${note}${eol}${inner}${tail}${eol}${block}}`
}

/** JSON with comments in any layout, with servers and hooks of others. */
function settings(keys: readonly string[], event?: string): fc.Arbitrary<string> {
  const foreign = fc.uniqueArray(fc.tuple(fc.constantFrom('theme', 'model', 'ünï', 'permissions'), scalar), {
    selector: ([key]) => key,
  })
  const servers = fc.option(
    fc.uniqueArray(fc.tuple(fc.constantFrom('docs', 'db', 'git'), scalar), { selector: ([key]) => key }),
  )
  const list = fc.option(fc.array(fc.constant('{ "command": "other" }'), { maxLength: 2 }))
  return fc
    .tuple(
      foreign,
      servers,
      list,
      style,
      style,
      fc.boolean(),
      fc.constantFrom('', '\uFEFF'),
      fc.constantFrom('', '\n', '\r\n', '\n\n'),
    )
    .map(([others, own, hooks, outer, inner, first, bom, end]) => {
      const more: [string, string][] = own ? [[keys[0]!, makeObject(own, inner)]] : []
      if (event && hooks) more.push(['hooks', makeObject([[event, `[${hooks.join(', ')}]`]], inner)])
      return bom + makeObject(first ? [...more, ...others] : [...others, ...more], outer) + end
    })
}

const prose = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(fc.constantFrom('# Team', '- rule', '', 'Grüße', '<!-- note -->')),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([bom, lines, eol, ends]) => bom + lines.join(eol) + (ends ? eol : ''))
const toml = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(fc.constantFrom('# note', 'model = "x"  # why', ''), { maxLength: 1 }),
    fc.constantFrom('', '[mcp_servers.docs]', '[tools]'),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([bom, lines, table, eol, ends]) => bom + [...lines, table].join(eol) + (ends ? eol : ''))

/** A repository that an assistant is used in: each of its files there or not. */
function repository(name: ClientName): fc.Arbitrary<Record<string, string>> {
  const client = getClient(name)
  const file = client.mcp[0]!
  const content: Record<string, fc.Arbitrary<string>> = {
    'AGENTS.md': prose,
    [file.path]:
      file.format === 'toml'
        ? toml
        : settings(file.keys, client.hook?.path === file.path ? client.hook.event : undefined),
  }
  if (client.hook && client.hook.path !== file.path) content[client.hook.path] = settings(['other'], client.hook.event)
  if (client.instructions) content[client.instructions] = prose
  return fc
    .record(
      Object.fromEntries(Object.entries(content).map(([path, text]) => [path, fc.option(text, { nil: undefined })])),
    )
    .map(files =>
      Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    )
}

/** The text is the former one with insertions only: every byte of it is there, in order. */
function isKept(before: string, after: string): boolean {
  let at = 0
  for (const unit of after) if (unit === before[at]) at++
  return at === before.length
}

/** For each assistant; `npm run assistants:properties` takes 100. */
const RUNS = Number(process.env.SVC_RUNS ?? 15)

describe.each(CLIENT_NAMES)('generated configurations of %s', name => {
  it('a second run changes nothing, removing restores each byte, and what others wrote stays', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(repository(name), async files => {
        const root = join(top, `${name}-${count++}`)
        mkdirSync(root)
        write(root, files)
        const never = snapshot(root)
        await init(root, [name])
        const once = snapshot(root)
        for (const [path, text] of Object.entries(never)) expect(isKept(text, once[path]!), path).toBe(true)
        const { path, format, keys } = getClient(name).mcp[0]!
        if (format === 'json') {
          const text = readFileSync(join(root, path), 'utf8').replace(/^\uFEFF/, '')
          const servers = (readJsonc(text) as Record<string, Record<string, unknown>>)[keys[0]!]
          expect(servers?.svc).toMatchObject({ command: 'svc', args: ['mcp-server'] })
        } else expect(readFileSync(join(root, path), 'utf8')).toContain('[mcp_servers.svc]')
        await init(root, [name])
        expect(snapshot(root)).toEqual(once)
        await init(root, [name], { remove: true })
        expect(snapshot(root)).toEqual(never)
        rmSync(root, { recursive: true })
      }),
      { numRuns: RUNS },
    )
  })
})

it('what a user writes afterwards stays when svc is removed', async () => {
  const root = folder({ '.mcp.json': '{}' })
  await init(root)
  const path = join(root, '.mcp.json')
  const more = readFileSync(path, 'utf8').replace(
    '"mcpServers": {',
    '"mcpServers": {\n    "docs": { "command": "docs" }, // mine',
  )
  write(root, { '.mcp.json': more, 'AGENTS.md': `${readFileSync(join(root, 'AGENTS.md'), 'utf8')}\nOurs.\n` })
  await init(root, undefined, { remove: true })
  expect(readJsonc(readFileSync(path, 'utf8'))).toEqual({ mcpServers: { docs: { command: 'docs' } } })
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toContain('Ours.')
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).not.toContain('svc')
})

it.each([
  ['.mcp.json', '{\n  "mcpServers": {\n    "a": \n}\n', 4],
  ['.mcp.json', '{ "mcpServers": {},\n "mcpServers": {} }', 2],
  ['.mcp.json', '{ "mcpServers": { "svc": { "command": "other" } } }', 1],
  ['.mcp.json', '[]', 1],
  ['.claude/settings.json', '{\n "hooks": { "PostToolUse": {} } }', 2],
  ['.codex/config.toml', 'a = 1\nb = \n', 2],
  ['AGENTS.md', 'x\n<!-- svc:begin -->\n', 2],
])('a malformed %s is refused with its line, and nothing at all is written', async (path, text, line) => {
  const root = folder({ [path]: text })
  const before = snapshot(root)
  const error = await refusal(() => init(root, ['claude-code', 'codex']))
  expect([error.code, error.place]).toEqual(['CONFLICT', { file: path, line }])
  expect(snapshot(root)).toEqual(before)
})

it.each(['.mcp.json', '.claude'])(
  'a symbolic link %s out of the repository is refused, and nothing is written through it',
  async path => {
    const outside = folder({ 'a/b.json': '{}' })
    const root = folder()
    symlinkSync(join(outside, path === '.claude' ? 'a' : 'a/b.json'), join(root, path))
    const error = await refusal(() => init(root, ['claude-code']))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(snapshot(outside)).toEqual({ 'a/': '', 'a/b.json': '{}' })
    expect(existsSync(join(root, 'AGENTS.md'))).toBe(false)
  },
)

it('CLAUDE.md is extended where it exists, and not made', async () => {
  const [without, having] = [folder(), folder({ 'CLAUDE.md': '# Team\n' })]
  await init(without)
  await init(having)
  expect(existsSync(join(without, 'CLAUDE.md'))).toBe(false)
  expect(readFileSync(join(having, 'CLAUDE.md'), 'utf8')).toContain('svc gate')
})

it('a CLAUDE.md that is a link to AGENTS.md gets one section', async () => {
  const root = folder({ 'AGENTS.md': '# Team\n' })
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'))
  await init(root)
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8').split('svc:begin')).toHaveLength(2)
})

it('a dry run writes nothing and shows each change; without hooks none is written', async () => {
  const root = folder({ '.mcp.json': '{}\n' })
  const { diff } = await init(root, undefined, { dry_run: true })
  expect(diff).toContain('+++ b/.mcp.json')
  expect(snapshot(root)).toEqual({ '.mcp.json': '{}\n' })
  await init(root, undefined, { hooks: false })
  expect(existsSync(join(root, '.claude/settings.json'))).toBe(false)
})

it('without hooks, those of before are removed', async () => {
  const root = folder()
  await init(root)
  await init(root, undefined, { hooks: false })
  expect(existsSync(join(root, '.claude/settings.json'))).toBe(false)
  expect(existsSync(join(root, '.mcp.json'))).toBe(true)
})

it('removing one assistant leaves the instructions to the others', async () => {
  const root = folder()
  await init(root, ['codex', 'cursor'])
  await init(root, ['codex'], { remove: true })
  expect(existsSync(join(root, '.codex/config.toml'))).toBe(false)
  expect(existsSync(join(root, '.cursor/mcp.json'))).toBe(true)
  expect(existsSync(join(root, 'AGENTS.md'))).toBe(true)
  await init(root, ['cursor'], { remove: true })
  expect(snapshot(root)).toEqual({})
})

it('without its record, what svc wrote is known by its structure and its markers', async () => {
  const root = folder({ '.mcp.json': '{\n  "mcpServers": { "docs": {} }\n}\n', 'AGENTS.md': '# Team\n' })
  await init(root)
  rmSync(join(root, '.svc/assistants.json'))
  await init(root, undefined, { remove: true })
  expect(readJsonc(readFileSync(join(root, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: { docs: {} } })
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8').trim()).toBe('# Team')
  expect(existsSync(join(root, '.claude/skills/svc/SKILL.md'))).toBe(false)
})

describe('a record that was forged', () => {
  const SECRET = '# Team rules that must stay\n'
  const record = (files: object) => JSON.stringify({ version: 1, files })

  it('has nothing removed but what svc itself would have inserted', async () => {
    const root = folder({
      'AGENTS.md': SECRET,
      '.mcp.json': '{ "mcpServers": { "docs": { "command": "docs" } } }',
      '.svc/assistants.json': record({
        'AGENTS.md': { made: '', inserted: [SECRET] },
        '.mcp.json': { made: '{ "mcpServers": { } }', inserted: ['"docs": { "command": "docs" }'] },
      }),
    })
    await init(root, undefined, { remove: true })
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe(SECRET)
    expect(readFileSync(join(root, '.mcp.json'), 'utf8')).toContain('docs')
    await init(root)
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toContain(SECRET)
    expect(readFileSync(join(root, '.mcp.json'), 'utf8')).toContain('"docs": { "command": "docs" }')
  })

  it('has no file deleted that svc has not made', async () => {
    const root = folder({ 'AGENTS.md': SECRET, 'src/a.ts': 'x' })
    await init(root)
    const file = join(root, '.svc/assistants.json')
    const { files } = JSON.parse(readFileSync(file, 'utf8'))
    files['AGENTS.md'].made = SECRET
    files['src/a.ts'] = { made: '', inserted: ['x'] }
    write(root, { '.svc/assistants.json': record(files) })
    await init(root, undefined, { remove: true })
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8').trim()).toBe(SECRET.trim())
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('x')
    expect(existsSync(file)).toBe(false)
  })
})

it('what stands between the markers and is not the text of svc is left, and said', async () => {
  const own = '<!-- svc:begin -->\nThe whole of our rules.\n<!-- svc:end -->\n'
  const root = folder({
    'AGENTS.md': own,
    '.mcp.json': '{"mcpServers":{"svc":{"command":"npx","args":["svc","mcp-server"],"env":{"A":"b"}}}}',
    '.claude/skills/svc/SKILL.md': '<!-- written by svc assistant-init -->\nOurs.\n',
  })
  const before = snapshot(root)
  const removed = await init(root, ['claude-code'], { remove: true })
  expect(snapshot(root)).toEqual(before)
  expect(removed.left.map(({ path }) => path)).toEqual(['.mcp.json', '.claude/skills/svc/SKILL.md', 'AGENTS.md'])
  const { left } = await init(root, ['claude-code'])
  expect(left.map(({ path }) => path)).toEqual(['.claude/skills/svc/SKILL.md', 'AGENTS.md'])
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe(own)
})

it.each([
  ['AGENTS.md', 'src/main.ts'],
  ['AGENTS.md', '.git/hooks/post-checkout'],
  ['.mcp.json', 'package.json'],
  ['.claude/skills', 'src'],
  ['.claude', '.git'],
  ['.svc', 'src'],
])('nothing is written through the link %s to %s inside of the repository', async (path, target) => {
  const root = folder({
    'src/main.ts': 'main()\n',
    '.git/hooks/post-checkout': '#!/bin/sh\n',
    '.git/config': '',
    'package.json': '{}',
    '.claude/x': '',
  })
  if (path === '.claude') rmSync(join(root, path), { recursive: true })
  symlinkSync(join(root, target), join(root, path))
  const before = snapshot(root)
  expect((await refusal(() => init(root, ['claude-code']))).code).toBe('CONFLICT')
  expect(snapshot(root)).toEqual(before)
  const removing = init(root, ['claude-code'], { remove: true })
  if (path === '.svc') await expect(removing).rejects.toMatchObject({ code: 'CONFLICT' })
  else expect((await removing).left.length).toBeGreaterThan(0)
  expect(snapshot(root)).toEqual(before)
})

it('an AGENTS.md that is a link to CLAUDE.md, and skills that are a link to the common ones, are written where they are', async () => {
  const root = folder({ 'CLAUDE.md': '# Team\n', '.claude/x': '', '.agents/skills/own/SKILL.md': 'x' })
  symlinkSync('CLAUDE.md', join(root, 'AGENTS.md'))
  symlinkSync('../.agents/skills', join(root, '.claude/skills'))
  const before = snapshot(root)
  await init(root, ['claude-code', 'codex'])
  expect(readFileSync(join(root, 'CLAUDE.md'), 'utf8').split('svc:begin')).toHaveLength(2)
  expect(existsSync(join(root, '.agents/skills/svc/SKILL.md'))).toBe(true)
  await init(root, ['claude-code', 'codex'], { remove: true })
  expect(snapshot(root)).toEqual(before)
})
