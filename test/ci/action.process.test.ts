import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { FORMAT_FILES, SCAN_REPORTS } from '../../engine/assure/report.ts'
import { loadSchemas } from '../../engine/door/schemas.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'
import { ROOT, textOf } from '../root.ts'
import { bash, folder, outputsIn, PROGRAM } from './project.ts'

interface Action {
  inputs: Record<string, { description: string; default: string }>
  outputs: Record<string, { description: string; value: string }>
  runs: { using: string; steps: { id?: string; shell: string; env: Record<string, string>; run: string }[] }
}

const ACTION = parse(textOf('action.yml')) as Action
const GATE = loadSchemas('gate.check')

/** Inputs that are the action's own; every other one is an input of the gate. */
const OWN = ['fail-on', 'fail', 'shard', 'shards', 'summary', 'svc', 'token']

const kebab = (key: string) => key.replaceAll('_', '-')

/**
 * Runs the action's steps one after the other as a runner does: expressions replaced, outputs read back from the file,
 * nothing after a step that failed. Answers the action's outputs.
 */
function runAction(workspace: string, given: Record<string, string>, env: Record<string, string> = {}) {
  const temp = folder()
  const summary = join(temp, 'summary')
  writeFileSync(summary, '')
  const steps: Record<string, Record<string, string>> = {}
  const inputs = Object.fromEntries(Object.entries(ACTION.inputs).map(([name, { default: value }]) => [name, value]))
  Object.assign(inputs, given)
  const evaluate = (text: string) =>
    text.replace(/\$\{\{ (?:inputs\.([\w-]+)|steps\.(\w+)\.outputs\.([\w-]+)) \}\}/g, (_, input, step, name) =>
      input ? inputs[input]! : (steps[step]?.[name] ?? ''),
    )
  let log = ''
  let status = 0
  for (const [index, step] of ACTION.runs.steps.entries()) {
    const output = join(temp, `output-${index}`)
    writeFileSync(output, '')
    const own = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, evaluate(value)]))
    const runner = { GITHUB_ACTION_PATH: ROOT, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, RUNNER_TEMP: temp }
    const done = bash(`exec 2>&1\n${step.run}`, workspace, { ...runner, ...own, ...env })
    log += done.stdout
    if (step.id) steps[step.id] = outputsIn(output)
    status = done.status!
    if (status !== 0) break
  }
  const outputs = Object.fromEntries(Object.entries(ACTION.outputs).map(([name, { value }]) => [name, evaluate(value)]))
  return { status, log, outputs, summary: readFileSync(summary, 'utf8'), written: steps.gate ?? {} }
}

const CLEAN = { 'app.py': 'print(1)\n' }
const HELD = { ...wordRule('frobnicate'), 'app.py': 'frobnicate()\n' }

describe('action.yml', () => {
  it('has an input for every option of the gate that a workflow can use, and no other beside its own', () => {
    const { properties } = GATE.input
    const offered = Object.keys(ACTION.inputs).filter(name => !OWN.includes(name))
    const keys = Object.keys(properties!).map(kebab)
    expect(offered.filter(name => !keys.includes(name))).toEqual([])
    // A workflow has no staged files, and its files are those of the checkout; nobody can approve on its machine.
    const without = [
      'paths',
      'files',
      'changed-files',
      'config-overrides',
      'staged',
      'require-approval',
      'approval-timeout',
    ]
    expect(offered.sort()).toEqual(keys.filter(name => !without.includes(name)).sort())
  })

  it('has an output for every figure that the gate answers, under its name', () => {
    const figures = Object.entries(GATE.output.properties!)
      .filter(
        ([, { type, anyOf }]) =>
          type === 'boolean' ||
          type === 'integer' ||
          type === 'string' ||
          anyOf?.every(each => typeof each.const === 'string'),
      )
      .map(([key]) => kebab(key))
      // In a workflow the tree is the checkout.
      .filter(name => !['approval-id', 'tree'].includes(name))
    expect(Object.keys(ACTION.outputs)).toEqual(expect.arrayContaining(figures))
    const reports = SCAN_REPORTS.map(format => `report-${format}`)
    expect(Object.keys(ACTION.outputs).sort()).toEqual(
      ['exit-code', 'findings', 'run', 'shard', ...figures, ...reports].sort(),
    )
  })

  it('passes what a workflow gives through the environment, never into the text of a script', () => {
    for (const { run, shell } of ACTION.runs.steps) {
      expect(run).not.toContain('${{')
      expect(shell).toBe('bash')
    }
  })

  it('uses each of its inputs', () => {
    const used = JSON.stringify(ACTION.runs)
    for (const name of Object.keys(ACTION.inputs)) expect(used).toContain(`\${{ inputs.${name} }}`)
  })
})

describe('the workflows in the documentation', () => {
  const pages = ['README.md', 'docs/ci.md', 'docs/sharding.md'].map(textOf).join('\n')
  const shown = [...pages.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text]) => text!)
  const blocks = [textOf('docs/ci/github.yml'), ...shown]

  it('are YAML, and give the action nothing but its inputs', () => {
    const steps = blocks.flatMap(text => stepsIn(parse(text))).filter(({ uses }) => uses?.startsWith('OWNER/svc@'))
    expect(steps).toHaveLength(5)
    for (const step of steps) expect(Object.keys(step.with ?? {}).filter(name => !(name in ACTION.inputs))).toEqual([])
  })

  it('read nothing but its outputs', () => {
    const read = blocks.flatMap(text => [...text.matchAll(/steps\.svc\.outputs\.([\w-]+)/g)].map(([, name]) => name!))
    expect(read).toContain('report-sarif')
    expect(read.filter(name => !(name in ACTION.outputs))).toEqual([])
  })
})

/** Every step of a workflow, at whatever depth; a list is one of steps. */
function stepsIn(value: unknown): { uses?: string; with?: object }[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value as { uses?: string }[]
  const own = Array.isArray((value as { steps?: unknown }).steps) ? (value as { steps: object[] }).steps : []
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => (key === 'steps' ? [] : stepsIn(inner)))]
}

describe('the steps of the action', () => {
  it('set every output that the action declares, and files that are there', () => {
    const root = project(CLEAN)
    const { status, outputs, written, log } = runAction(root, {})
    expect(status, log).toBe(0)
    const declared = Object.keys(ACTION.outputs).filter(name => name !== 'shard')
    expect(Object.keys(written).sort()).toEqual(declared.sort())
    expect(outputs).toMatchObject({ 'exit-code': '0', passed: 'true', 'total-findings': '0', blocking: '0' })
    expect(outputs['run-id']).toBe(JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8')).id)
    for (const format of SCAN_REPORTS) {
      expect(outputs[`report-${format}`]).toBe(`out/report.${FORMAT_FILES[format].extension}`)
      expect(existsSync(join(root, outputs[`report-${format}`]!))).toBe(true)
    }
    expect(existsSync(join(root, outputs.findings!)) && existsSync(join(root, outputs.run!))).toBe(true)
  })

  it('fail when the gate fails, after the outputs and the summary are written', () => {
    const { status, outputs, summary, log } = runAction(project(HELD), {})
    expect(status).toBe(1)
    expect(outputs).toMatchObject({ 'exit-code': '1', passed: 'false', high: '1', blocking: '1' })
    expect(summary).toContain('gate failed')
    expect(log).toContain('::error title=svc::Gate failed: 1 open high finding.')
  })

  it('take pending design decisions for the answer that they are, with its own code', () => {
    const config = 'governance:\n  design_review: { require_acknowledgment: true }\n'
    const pending = { ...CLEAN, '.svc/config.yaml': config }
    const { status, outputs, log } = runAction(project(pending), {})
    expect([status, outputs['exit-code'], outputs.passed], log).toEqual([2, '2', 'false'])
    expect(outputs['report-sarif']).toBe('out/report.sarif')
    expect(runAction(project(pending), { fail: 'false' }).status).toBe(0)
  })

  it('do not fail for a held gate where that is not wanted', () => {
    const { status, outputs } = runAction(project(HELD), { fail: 'false', summary: 'false' })
    expect({ status, passed: outputs.passed }).toEqual({ status: 0, passed: 'false' })
  })

  it('leave the summary as it was where none is wanted', () => {
    expect(runAction(project(CLEAN), { summary: 'false' }).summary).toBe('')
  })

  it('fail always where svc could not judge, and say why', () => {
    const root = project({ ...CLEAN, '.svc/config.yaml': 'gate: {fail_on: [worst]}\n' })
    // What an earlier step left must not be taken for this one's.
    mkdirSync(join(root, 'out'))
    write(root, { 'out/report.md': 'all is well' })
    const { status, outputs, summary, log } = runAction(root, { fail: 'false' })
    expect(status).toBe(64)
    expect(outputs).toMatchObject({ 'exit-code': '64', passed: '', 'report-sarif': '' })
    expect(summary).toContain('no judgement')
    expect(summary).not.toContain('all is well')
    expect(log).toMatch(/::error title=svc::.*fail_on/)
  })

  it('hand on each input to the gate', () => {
    const root = project({ ...HELD, 'sub/other.yaml': 'gate:\n  fail_on: [critical]\n' })
    const input = { 'repo-path': root, config: `${root}/sub/other.yaml`, jobs: '2', cache: 'false' }
    const elsewhere = folder()
    expect(runAction(elsewhere, input).outputs).toMatchObject({ 'exit-code': '0', high: '1' })
    expect(runAction(elsewhere, { ...input, 'fail-on': 'high' }).status).toBe(1)
    const hits = () => JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8')).cache.hits
    expect(hits()).toBe(0)
    // The key that seals the cache is in the home of the user, or in SVC_CACHE_KEY where machines come and go.
    const key = { SVC_CACHE_KEY: 'the same on every machine' }
    runAction(root, {}, key)
    runAction(root, {}, key)
    expect(hits()).toBeGreaterThan(0)
    const nowhere = runAction(root, { 'git-range': 'no-such-branch...HEAD' })
    expect(nowhere.outputs['exit-code']).not.toMatch(/^[01]$/)
    expect(nowhere.status).toBeGreaterThan(1)
  })

  it('find the reports of a folder within the repository where they are: at its root', () => {
    const root = project({ 'api/app.py': 'print(1)\n', 'web/app.py': 'print(2)\n' })
    const { outputs } = runAction(root, { 'repo-path': 'api' })
    expect(outputs['report-sarif']).toBe('out/report.sarif')
    expect(existsSync(join(root, outputs['report-sarif']!))).toBe(true)
  })

  it('take values that look like options or commands for values', () => {
    const root = project(CLEAN)
    const { log } = runAction(root, { 'repo-path': '--help', config: '$(touch hacked); `touch hacked`' })
    expect(existsSync(join(root, 'hacked'))).toBe(false)
    expect(log).toMatch(/::error title=svc::/)
  })

  it('keep text of the repository from commanding the runner', () => {
    const root = project({ ...CLEAN, '.svc/config.yaml': '"a\\n::set-env name=x::y": 1\n' })
    const lines = runAction(root, {}).log.split('\n')
    const pause = lines.findIndex(line => line.startsWith('::stop-commands::'))
    const resume = lines.indexOf(`::${lines[pause]!.split('::')[2]}::`)
    expect(resume).toBeGreaterThan(pause)
    expect(lines.slice(resume + 1).filter(line => /^\s*::(?!error title=svc::)/.test(line))).toEqual([])
  })

  it('never take a program that broke for a gate that fails', () => {
    const root = project(CLEAN)
    write(root, { 'broken.sh': '#!/bin/sh\nexit 1\n', 'silent.sh': '#!/bin/sh\nexit 0\n' })
    for (const name of ['broken.sh', 'silent.sh']) {
      chmodSync(join(root, name), 0o755)
      const { status, outputs } = runAction(root, { svc: join(root, name), fail: 'false' })
      expect(status, name).toBe(70)
      expect(outputs).toMatchObject({ 'exit-code': '70', passed: '' })
    }
  })

  it('scan a matrix of shards in checkouts of their own, and judge them merged like one scan', () => {
    const origin = project({
      ...HELD,
      'b.py': 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\n',
      'c.md': 'x\n',
      LICENSE: 'x\n',
    })
    const checkout = () => {
      const root = join(folder(), 'checkout')
      execFileSync('git', ['clone', '-q', origin, root], { stdio: 'pipe' })
      return root
    }
    const brought = checkout()
    for (const index of [1, 2, 3]) {
      const root = checkout()
      const { status, outputs, summary, log } = runAction(root, { shard: `${index}/3` })
      expect(status, log).toBe(0)
      expect(outputs).toMatchObject({ 'exit-code': '0', passed: '', shard: `out/shard-${index}-of-3` })
      expect(summary).toBe('')
      // As artifacts are: what is in the folder, without hidden files, below a folder that git does not ignore.
      cpSync(join(root, outputs.shard!), join(brought, `shards/job-${index}`), { recursive: true })
    }
    const single = runAction(checkout(), {})
    const merged = runAction(brought, { shards: 'shards\n' })
    const { 'run-id': _, ...expected } = single.outputs
    expect(merged.outputs).toMatchObject(expected)
    expect(merged.status).toBe(1)
    expect(merged.log).toContain('::error title=svc::Gate failed')
    const named = runAction(brought, { shards: 'shards/job-1\n\nshards/job-3\nshards/job-2', fail: 'false' })
    expect({ status: named.status, passed: named.outputs.passed }).toEqual({ status: 0, passed: 'false' })
    const missing = runAction(brought, { shards: 'shards/job-1', fail: 'false' })
    expect(missing.status).toBe(64)
    expect(missing.log).toContain('Shards 2, 3 of 3 are missing.')
  })

  it('build the program once where it is not there yet', () => {
    const [action, bin] = [folder(), folder()]
    const build = `#!/bin/sh\necho "$@" >> ${action}/asked\nmkdir -p ${action}/dist\ntouch ${action}/dist/svc.js\n`
    writeFileSync(join(bin, 'npm'), build, { mode: 0o755 })
    const [install] = ACTION.runs.steps
    const output = join(action, 'output')
    const env = {
      GITHUB_ACTION_PATH: action,
      GITHUB_OUTPUT: output,
      SVC_PROGRAM: '',
      PATH: `${bin}:${process.env.PATH}`,
    }
    for (let time = 0; time < 2; time++) expect(bash(install!.run, action, env).status).toBe(0)
    expect(readFileSync(join(action, 'asked'), 'utf8')).toBe(
      `ci --prefix ${action} --include=dev --no-audit --no-fund\n`,
    )
    expect(outputsIn(output)).toEqual({ program: `${action}/dist/svc.js` })
  })

  it('use the program that is given, and name the input where there is none', () => {
    const root = project(CLEAN)
    expect(runAction(root, { svc: PROGRAM }).outputs.passed).toBe('true')
    const none = runAction(root, { svc: 'no-such-program' })
    expect(none.status).toBe(69)
    expect(none.log).toContain('::error title=svc::The input svc names no program')
  })
})
