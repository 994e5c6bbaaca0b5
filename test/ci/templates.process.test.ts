import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'
import { textOf } from '../root.ts'
import { bash, folder, pathWithSvc } from './project.ts'

const HELD = { ...wordRule('frobnicate'), 'app.py': 'frobnicate()\n', 'b.js': 'const a = 1\n', 'c.md': 'x\n' }
const CLEAN = { 'app.py': 'print(1)\n' }

/** A checkout of its own, as each job has. */
function checkout(origin: string): string {
  const root = join(folder(), 'checkout')
  execFileSync('git', ['clone', '-q', origin, root], { stdio: 'pipe' })
  return root
}

/** What must be the same of two runs: the findings and the counts. */
function judged(root: string) {
  const { counts, gate, scope } = JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8'))
  // Artifacts come without hidden files, so that git does not ignore the directory that they are in, and it is listed.
  delete counts.skipped.own_file
  return { counts, gate, scope, findings: readFileSync(join(root, 'out/findings.json'), 'utf8') }
}

/** A PATH with node and the system's tools, on which npm notes what it is asked for and installs nothing. */
function pathWithoutSvc(noted: string): string {
  const bin = folder()
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$@" > ${noted}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  return `${bin}:/usr/bin:/bin`
}

interface GitLabJob {
  extends?: string
  image: string
  parallel?: number
  before_script: string[]
  script: string[]
  variables: Record<string, string>
  needs?: { job: string; artifacts: boolean }[]
  cache?: { paths: string[] }
  artifacts: { when?: string; paths: string[]; reports?: Record<string, string> }
}

/** A job as GitLab reads it: with what it extends. */
function job(file: string, name: string): GitLabJob {
  const jobs = parse(textOf(file)) as Record<string, Partial<GitLabJob>>
  const own = jobs[name]!
  return { ...(own.extends ? jobs[own.extends] : {}), ...own } as GitLabJob
}

function runJob({ before_script, script, variables }: GitLabJob, root: string, env: Record<string, string>) {
  return bash([...before_script, ...script].join('\n'), root, { PATH: pathWithSvc(), ...variables, ...env })
}

describe('the GitLab template', () => {
  const gate = job('docs/ci/gitlab.yml', 'svc')

  it('passes and fails with the gate, and leaves every file that it keeps, whichever', () => {
    for (const [files, status] of [
      [CLEAN, 0],
      [HELD, 1],
    ] as const) {
      const root = project(files)
      const done = runJob(gate, root, {})
      expect(done.status, done.stderr).toBe(status)
      expect(gate.artifacts.when).toBe('always')
      const kept = [...gate.artifacts.paths, ...Object.values(gate.artifacts.reports!)]
      expect(kept.filter(path => !existsSync(join(root, path)))).toEqual([])
      expect(existsSync(join(root, gate.cache!.paths[0]!))).toBe(true)
    }
  })

  it('gives GitLab its code quality report and the tests', () => {
    expect(gate.artifacts.reports).toEqual({ codequality: 'out/report.gitlab.json', junit: 'out/report.junit.xml' })
    const root = project(HELD)
    runJob(gate, root, {})
    expect(JSON.parse(readFileSync(join(root, 'out/report.gitlab.json'), 'utf8'))).toHaveLength(1)
  })

  it('installs the package that is named where svc is not there, and says so where none is', () => {
    const noted = join(folder(), 'noted')
    const PATH = pathWithoutSvc(noted)
    const install = { ...gate, script: [] }
    expect(runJob(install, folder(), { PATH, SVC_PACKAGE: './svc 1.tgz' }).status).toBe(0)
    expect(readFileSync(noted, 'utf8')).toBe('install --global ./svc 1.tgz\n')
    const none = runJob(install, folder(), { PATH })
    expect(none.status).not.toBe(0)
    expect(none.stderr).toContain('name the svc package')
  })
})

describe('the GitLab template of shards', () => {
  const shards = job('docs/ci/gitlab-sharded.yml', 'svc-shards')
  const merge = job('docs/ci/gitlab-sharded.yml', 'svc')

  it('judges what its parallel jobs scanned like one scan', () => {
    const origin = project(HELD)
    const single = checkout(origin)
    expect(runJob(job('docs/ci/gitlab.yml', 'svc'), single, {}).status).toBe(1)
    const root = checkout(origin)
    const total = shards.parallel!
    expect(merge.needs).toEqual([{ job: 'svc-shards', artifacts: true }])
    for (let index = 1; index <= total; index++) {
      const own = checkout(origin)
      const done = runJob(shards, own, { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(total) })
      expect(done.status, done.stderr).toBe(0)
      // GitLab restores artifacts at their own paths: those that match, and nothing beside them.
      expect(shards.artifacts.paths).toEqual(['out/shard-*/'])
      const made = readdirSync(join(own, 'out')).filter(name => name.startsWith('shard-'))
      expect(made).toHaveLength(1)
      mkdirSync(join(root, 'out'), { recursive: true })
      cpSync(join(own, 'out', made[0]!), join(root, 'out', made[0]!), { recursive: true })
    }
    const done = runJob(merge, root, {})
    expect(done.status, done.stderr).toBe(1)
    expect(judged(root)).toEqual(judged(single))
    const kept = [...merge.artifacts.paths, ...Object.values(merge.artifacts.reports!)]
    expect(kept.filter(path => !existsSync(join(root, path)))).toEqual([])
  })

  it('ends with an error, not with a pass, where a shard is missing', () => {
    const root = project(CLEAN)
    runJob(shards, root, { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' })
    expect(runJob(merge, root, {})).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('2, 3, 4 of 4 are missing'),
    })
  })
})

interface AzureStep {
  bash?: string
  env?: Record<string, string>
  publish?: string
  artifact?: string
  condition?: string
  task?: string
  inputs?: Record<string, string>
}

/** Runs the steps that are scripts, with parameters filled in, until one fails. */
function runSteps(steps: AzureStep[], root: string, parameters: Record<string, string>, env: Record<string, string>) {
  let out = ''
  for (const { bash: script, env: own = {} } of steps) {
    if (script === undefined) continue
    const given = Object.entries(own).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ parameters\.(\w+) \}\}/, (_, key) => parameters[key]!),
    ])
    const done = bash(`exec 2>&1\n${script}`, root, { PATH: pathWithSvc(), ...Object.fromEntries(given), ...env }, [])
    out += done.stdout
    if (done.status !== 0) return { status: done.status, out }
  }
  return { status: 0, out }
}

/** Lines in which an agent sees a command. */
const commands = (out: string) => out.split('\n').filter(line => line.includes('##vso['))

describe('the Azure template', () => {
  const { parameters, steps } = parse(textOf('docs/ci/azure-pipelines.yml')) as {
    parameters: { name: string; default: string }[]
    steps: AzureStep[]
  }
  const defaults = Object.fromEntries(parameters.map(({ name, default: value }) => [name, value]))

  it('passes and fails with the gate, hands over the summary, and publishes files that are there', () => {
    for (const [files, status] of [
      [CLEAN, 0],
      [HELD, 1],
    ] as const) {
      const root = project(files)
      const done = runSteps(steps, root, defaults, {})
      expect(done.status, done.out).toBe(status)
      const summary = `##vso[task.uploadsummary]${root}/out/report.md`
      expect(commands(done.out)).toEqual(['##vso[task.setvariable variable=svc.judged]true', summary])
      const published = steps.flatMap(({ publish, inputs }) => publish ?? inputs?.testResultsFiles ?? [])
      expect(published).toHaveLength(3)
      expect(published.filter(path => !existsSync(join(root, path)))).toEqual([])
    }
  })

  it('publishes nothing where svc could not judge', () => {
    const root = project({ ...CLEAN, '.svc/config.yaml': 'gate: {fail_on: [worst]}\n' })
    const done = runSteps(steps, root, defaults, {})
    expect(done.status).toBe(64)
    expect(commands(done.out)).toEqual([])
    for (const { publish, task, condition } of steps)
      if (publish || task) expect(condition).toContain("eq(variables['svc.judged'], 'true')")
  })

  it('judges the range that is given', () => {
    const done = runSteps(steps, project(HELD), { ...defaults, gitRange: 'no-such-branch...HEAD' }, {})
    expect(done.status).toBeGreaterThan(1)
    expect(done.out).toContain('no-such-branch')
  })

  it('keeps names in the repository from commanding the agent', () => {
    const name = '##vso[task.setvariable variable=svc.judged]no.py'
    const root = project({ ...wordRule('frobnicate'), [name]: 'frobnicate()\n' })
    const done = runSteps(steps, root, defaults, {})
    expect(done.out).toContain('# #vso[task.setvariable')
    expect(commands(done.out)).toHaveLength(2)
  })

  it('puts no parameter into the text of a script, and ends at the first fault in each', () => {
    const sharded = parse(textOf('docs/ci/azure-pipelines-sharded.yml')) as { jobs: { steps: AzureStep[] }[] }
    const scripts = [...steps, ...sharded.jobs.flatMap(each => each.steps)].flatMap(step => step.bash ?? [])
    expect(scripts).toHaveLength(6)
    for (const script of scripts) {
      expect(script).not.toContain('${{')
      expect(script).toMatch(/^set -euo pipefail\n/)
    }
  })
})

describe('the Azure template of shards', () => {
  const { jobs } = parse(textOf('docs/ci/azure-pipelines-sharded.yml')) as {
    jobs: { job: string; dependsOn?: string; steps: AzureStep[] }[]
  }
  const [scan, merge] = jobs as [(typeof jobs)[0], (typeof jobs)[0]]

  it('judges what its parallel jobs scanned like one scan', () => {
    const origin = project(HELD)
    const single = checkout(origin)
    runJob(job('docs/ci/gitlab.yml', 'svc'), single, {})
    const workspace = folder()
    const root = checkout(origin)
    expect(merge.dependsOn).toBe(scan.job)
    for (let index = 1; index <= 3; index++) {
      const own = checkout(origin)
      const env = { SYSTEM_JOBPOSITIONINPHASE: String(index), SYSTEM_TOTALJOBSINPHASE: '3' }
      const done = runSteps(scan.steps, own, { package: '' }, env)
      expect(done.status, done.out).toBe(0)
      const { publish, artifact } = scan.steps.find(step => step.publish)!
      const named = (text: string) =>
        text.replace('$(System.JobPositionInPhase)', String(index)).replace('$(System.TotalJobsInPhase)', '3')
      cpSync(join(own, named(publish!)), join(workspace, named(artifact!)), { recursive: true })
    }
    const done = runSteps(merge.steps, root, { package: '' }, { PIPELINE_WORKSPACE: workspace })
    expect(done.status, done.out).toBe(1)
    expect(judged(root)).toEqual(judged(single))
    rmSync(join(workspace, 'svc-shard-2'), { recursive: true })
    const missing = runSteps(merge.steps, root, { package: '' }, { PIPELINE_WORKSPACE: workspace })
    expect(missing).toMatchObject({ status: 64, out: expect.stringContaining('Shard 2 of 3 is missing') })
    expect(commands(missing.out)).toEqual([])
  })
})

/** Scripts of templates whose system runs them with a shell in the checkout, one after the other. */
const SHELLS: Record<string, { scripts: string[]; kept: string[] }> = {
  'docs/ci/Jenkinsfile': {
    scripts: [...textOf('docs/ci/Jenkinsfile').matchAll(/sh '''\n([\s\S]*?)'''/g)].map(([, script]) => script!),
    kept: ['out/report.junit.xml', 'out/report.html', 'out/report.sarif', 'out/run.json'],
  },
  'docs/ci/circleci.yml': (() => {
    interface Step {
      run?: { command: string }
      store_artifacts?: { path: string }
      store_test_results?: { path: string }
    }
    const { steps } = parse(textOf('docs/ci/circleci.yml')).jobs.svc as { steps: Step[] }
    return {
      scripts: steps.flatMap(({ run }) => run?.command ?? []),
      kept: steps.flatMap(({ store_artifacts: a, store_test_results: b }) => a?.path ?? b?.path ?? []),
    }
  })(),
  'docs/ci/bitbucket-pipelines.yml': (() => {
    const [{ step }] = parse(textOf('docs/ci/bitbucket-pipelines.yml')).pipelines.default
    return { scripts: [step.script.join('\n')], kept: step.artifacts }
  })(),
}

describe.each(Object.entries(SHELLS))('the template %s', (name, { scripts, kept }) => {
  const runAll = (root: string, env: Record<string, string>) => {
    const options = name.endsWith('Jenkinsfile') ? ['-e'] : ['-eo', 'pipefail']
    for (const script of scripts) {
      const done = bash(script, root, { PATH: pathWithSvc(), ...env }, options)
      if (done.status !== 0) return done
    }
    return { status: 0, stderr: '' }
  }

  it('passes and fails with the gate, and leaves every file that it keeps, whichever', () => {
    for (const [files, status] of [
      [CLEAN, 0],
      [HELD, 1],
    ] as const) {
      const root = project(files)
      const done = runAll(root, {})
      expect(done.status, done.stderr).toBe(status)
      expect(kept.filter(path => !existsSync(join(root, path)))).toEqual([])
      expect(kept.length).toBeGreaterThan(2)
    }
  })

  it('fails with the error where svc could not evaluate the gate', () => {
    const root = project({ ...CLEAN, '.svc/config.yaml': 'gate: {fail_on: [worst]}\n' })
    expect(runAll(root, {}).status).toBe(64)
  })

  it('says what is missing where svc is not installed and no package is named', () => {
    const done = runAll(folder(), { PATH: pathWithoutSvc(join(folder(), 'noted')) })
    expect(done.status).not.toBe(0)
    expect(done.stderr).toContain('SVC_PACKAGE')
  })
})
