import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import driftScan from '../../../engine/ops/delivery/drift-scan.ts'
import generate from '../../../engine/ops/delivery/generate-reqs.ts'
import trace from '../../../engine/ops/delivery/trace.ts'
import verify from '../../../engine/ops/delivery/verify-reqs.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { modelServer } from '../../review/llm/model-server.ts'

const FILES = {
  'requirements.yaml':
    '# Ours.\nrequirements:\n- id: REQ-1\n  title: Users log in\n  files: [src/login.ts]\n- id: REQ-2\n  title: Later\n',
  'src/login.ts': "import { find } from './users'\n\nexport function login(name: string) {\n  return find(name)\n}\n",
  'src/users.ts': 'export function find(name: string) {\n  return name\n}\n',
}
/** No dry run. */
const sent = { dry_run: false }
const edit = (root: string, path: string, from: string, to: string) => {
  const text = readFileSync(join(root, path), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(root, path), text.replace(from, to))
}

async function confirmed(): Promise<string> {
  const root = project(FILES)
  const { confirmed: ids, left } = await verify.run({ ...sent, confirm: true, by: 'Kim' }, context(root))
  expect(ids).toEqual(['REQ-1'])
  expect(left).toMatchObject([{ id: 'REQ-2' }])
  return root
}
const scanDrift = async (root: string, more = {}) => {
  const { drifts, not_evaluated, passed } = await driftScan.run({ ...sent, staged: false, ...more }, context(root))
  return { passed, types: drifts.map(({ type }) => type), unknown: not_evaluated.map(({ type }) => type) }
}

describe('drift', () => {
  it('is confirmed by no agent', async () => {
    const root = project(FILES)
    const error = await refusal(() =>
      verify.run({ ...sent, confirm: true, by: 'Kim' }, context(root, { surface: 'mcp' })),
    )
    expect(error.code).toBe('FORBIDDEN')
    expect(readFileSync(join(root, 'requirements.yaml'), 'utf8')).toBe(FILES['requirements.yaml'])
  })

  it('is none after a confirmation, which leaves comments of the file as they are', async () => {
    const root = await confirmed()
    expect(readFileSync(join(root, 'requirements.yaml'), 'utf8')).toMatch(/^# Ours\.\n/)
    expect(await scanDrift(root)).toEqual({ passed: true, types: [], unknown: [] })
  })

  it('is none where only the layout changed', async () => {
    const root = await confirmed()
    edit(root, 'src/login.ts', '{\n  return find(name)\n}', '{ // why\n    return find(\n        name,\n    );\n}')
    expect(await scanDrift(root)).toMatchObject({ passed: true, types: [], unknown: [] })
  })

  it('is structural where a signature changed, and makes the requirement suspect', async () => {
    const root = await confirmed()
    edit(root, 'src/login.ts', 'name: string)', 'name: string, word: string)')
    expect(await scanDrift(root)).toMatchObject({ passed: false, types: ['structural'] })
    const { rows } = await trace.run({}, context(root))
    expect(rows[0]!.state).toBe('suspect')
  })

  it('is structural where the file is gone', async () => {
    const root = await confirmed()
    rmSync(join(root, 'src/login.ts'))
    expect(await scanDrift(root)).toMatchObject({ types: ['structural'] })
  })

  it('is cross-file where the interface of an imported file changed', async () => {
    const root = await confirmed()
    edit(root, 'src/users.ts', 'name: string)', 'name: string, all = false)')
    expect(await scanDrift(root)).toMatchObject({ types: ['cross_file'] })
  })

  it('is not evaluated, and never none, where a body changed', async () => {
    const root = await confirmed()
    edit(root, 'src/login.ts', 'return find(name)', 'return find(name.trim())')
    expect(await scanDrift(root)).toEqual({ passed: true, types: [], unknown: ['behavioral'] })
    const { verified } = await verify.run({ ...sent, confirm: false }, context(root))
    expect(verified).not.toContain('REQ-1')
  })

  it('is judged by what is staged, with --staged', async () => {
    const root = await confirmed()
    execFileSync('git', ['add', '-A'], { cwd: root })
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'confirm'], {
      cwd: root,
    })
    edit(root, 'src/login.ts', 'name: string)', 'name: string, word: string)')
    expect(await scanDrift(root, { staged: true })).toMatchObject({ types: [] })
    execFileSync('git', ['add', '-A'], { cwd: root })
    edit(root, 'src/login.ts', ', word: string', '')
    expect(await scanDrift(root, { staged: true })).toMatchObject({ types: ['structural'] })
  })

  it('is unknown for a requirement that nobody confirmed', async () => {
    const { unconfirmed, compared } = await driftScan.run({ ...sent, staged: false }, context(project(FILES)))
    expect({ unconfirmed, compared }).toEqual({ unconfirmed: ['REQ-1', 'REQ-2'], compared: 0 })
  })

  it('does not pass where requirements cannot be read', async () => {
    const root = await confirmed()
    edit(root, 'requirements.yaml', 'title: Later', 'titel: Later')
    expect(await scanDrift(root)).toMatchObject({ passed: false, types: [] })
    writeFileSync(join(root, 'requirements.yaml'), 'requirements: [')
    expect(await scanDrift(root)).toMatchObject({ passed: false, unknown: ['all'] })
    expect((await verify.run({ ...sent, confirm: false }, context(root))).passed).toBe(false)
  })

  it('of an unknown requirement is refused', async () => {
    const root = project(FILES)
    expect((await refusal(() => verify.run({ ...sent, ids: ['REQ-7'], confirm: false }, context(root)))).code).toBe(
      'NOT_FOUND',
    )
  })
})

describe('svc generate-reqs', () => {
  it('adds drafts for code that nothing names, which then names nothing more', async () => {
    const root = project(FILES)
    const dry = await generate.run({ dry_run: true }, context(root))
    expect(dry).toMatchObject({ count: 1, files: 1, requirements: [{ id: 'DRAFT-SRC', files: ['src/users.ts'] }] })
    expect(dry.requirements_file).toBeUndefined()
    expect((await generate.run({ dry_run: false }, context(root))).requirements_file).toBe('requirements.yaml')
    expect((await generate.run({ dry_run: false }, context(root))).count).toBe(0)
    const { rows } = await trace.run({}, context(root))
    expect(rows.map(({ id, status }) => [id, status])).toContainEqual(['DRAFT-SRC', 'draft'])
  })

  it('writes nothing over a file that it cannot read, nor outside of the repository', async () => {
    const root = project({ ...FILES, 'requirements.yaml': 'requirements: [{id: 1}]\n' })
    expect((await refusal(() => generate.run({ dry_run: false }, context(root)))).code).toBe('CONFIG_INVALID')
    const outside = () => generate.run({ dry_run: false, output: '../x.yaml' }, context(root))
    expect((await refusal(outside)).code).toBe('PATH_ESCAPES')
  })
})

describe('drift that a model judges', () => {
  const YAML =
    'requirements:\n- id: REQ-1\n  title: Users log in\n  acceptance: [Names are found]\n  files: [src/login.ts]\n'
  const evidence = [{ file: 'src/login.ts', line: 4, quote: 'return find(name)' }]
  const asked = async (answer: (prompt: string) => object) => {
    const { base_url, got } = await modelServer(({ prompt }) => ({ say: JSON.stringify(answer(prompt)) }))
    const config = `llm:\n  provider: openai-compatible\n  model: local\n  base_url: ${base_url}\n`
    const root = project({ ...FILES, 'requirements.yaml': YAML, '.svc/config.yaml': config })
    await verify.run({ ...sent, confirm: true, by: 'Kim', ids: ['REQ-1'] }, context(root))
    edit(root, 'src/login.ts', 'return find(name)', 'return find(name) + name')
    return { root, got }
  }

  it('is drift at a line that exists, beside the drift that is certain', async () => {
    const { root } = await asked(() => ({ verdict: 'violated', reason: 'it adds', evidence, confidence: 1 }))
    const { passed, drifts, not_evaluated } = await driftScan.run({ ...sent, staged: false }, context(root))
    expect(passed).toBe(false)
    expect(
      drifts
        .map(({ type, line, confidence }) => ({ type, line, confidence }))
        .sort((a, b) => (a.type < b.type ? -1 : 1)),
    ).toEqual([
      { type: 'acceptance_criteria', line: 4, confidence: 0.65 },
      { type: 'behavioral', line: 4, confidence: 0.65 },
    ])
    expect(not_evaluated).toEqual([])
  })

  it('verifies nothing where the model says that it holds', async () => {
    const { root } = await asked(() => ({ verdict: 'holds', reason: 'it does', evidence, confidence: 1 }))
    const made = await verify.run({ ...sent, confirm: false }, context(root))
    expect(made).toMatchObject({ passed: true, verified: [], not_evaluated: [] })
    expect(made.held.map(({ type }) => type).sort()).toEqual(['acceptance_criteria', 'behavioral'])
  })

  it('is not evaluated where the model names no line or nonsense, and certain drift stays', async () => {
    const { root } = await asked(prompt =>
      prompt.includes('Names are found')
        ? { nonsense: true }
        : { verdict: 'holds', reason: '', evidence: [], confidence: 1 },
    )
    edit(root, 'src/login.ts', 'name: string)', 'name: string, word: string)')
    expect(await scanDrift(root)).toEqual({
      passed: false,
      types: ['structural'],
      unknown: ['acceptance_criteria'],
    })
  })

  it('is shown by a dry run, which sends and judges nothing', async () => {
    const { root, got } = await asked(() => ({ verdict: 'holds', reason: '', evidence, confidence: 1 }))
    const before = got.length
    const scanned = await driftScan.run({ staged: false, dry_run: true }, context(root))
    expect(scanned.planned!.map(({ prompt }) => prompt.includes('find(name) + name'))).toEqual([true, true])
    expect(scanned.held).toEqual([])
    expect(driftScan.exit!(scanned)).toBe(0)
    expect(driftScan.text(scanned, view)).toContain('2 requests would be sent')
    const verified = await verify.run({ confirm: false, dry_run: true }, context(root))
    expect(verified.planned).toHaveLength(2)
    expect(got).toHaveLength(before)
    expect((await refusal(() => verify.run({ confirm: true, dry_run: true }, context(root)))).code).toBe(
      'INPUT_INVALID',
    )
  })

  it('is recorded, and answered from the record without a server', async () => {
    const { root, got } = await asked(() => ({ verdict: 'violated', reason: 'it adds', evidence, confidence: 1 }))
    const before = got.length
    const first = await driftScan.run({ ...sent, staged: false, record: 'kept' }, context(root))
    expect(got).toHaveLength(before + 2)
    expect(first.drifts).toHaveLength(2)
    rmSync(join(root, '.svc/local/llm-cache'), { recursive: true, force: true })
    const again = await driftScan.run({ ...sent, staged: false, replay: 'kept' }, context(root))
    expect(again).toEqual(first)
    expect(got).toHaveLength(before + 2)
    edit(root, 'src/login.ts', 'find(name) + name', 'find(name) + 1')
    const other = await verify.run({ ...sent, confirm: false, replay: 'kept' }, context(root))
    expect(other.not_evaluated).toHaveLength(2)
    expect(got).toHaveLength(before + 2)
  })
})
