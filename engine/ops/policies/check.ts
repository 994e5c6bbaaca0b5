import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { writeProjectFile } from '../../base/disk/project-write.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import { SEVERITIES, type Severity } from '../../base/records/finding.ts'
import { isBrokenOff } from '../../base/records/run.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { SEVERITY_STYLE } from '../../findings/line.ts'
import { evaluatePolicies } from '../../quality/policies/evaluate.ts'
import type { Known } from '../../quality/policies/facts.ts'
import { gatherFacts, type Outcome } from '../../quality/policies/gather.ts'
import { findPolicyFile, readPolicies } from '../../quality/policies/policy-file.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { POLICIES_PATHS } from '../../sources/config/paths.ts'
import { discover } from '../../sources/repository/discover.ts'
import { runWithStore } from '../../sources/store/open.ts'

/** Violations that a person is shown; --json and -v have all. */
const SHOWN = 50

/** Evaluates the repository's policies, or writes a first file of them. */
export default defineOperation({
  id: 'policies.check',
  summary: 'Check the policies of policies.yaml: files, names, structure, content, dependencies, CEL and OPA.',
  effect: 'write',
  action: ({ init }) => (init ? 'edit_config' : 'run_scan'),
  cli: 'check-policies',
  rest: null,
  mcp: null,
  input: type({
    'config?': type('string > 0').describe('a file of policies (default: policies.yaml, else .svc/policies.yaml)'),
    init: type('boolean')
      .describe('true to write a commented policies.yaml that the repository obeys now')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    passed: type('boolean').describe('whether no policy is violated, and none timed out or failed'),
    path: type('string').describe('the file of policies'),
    created: type('boolean').describe('whether the file was written now'),
    policies: type({
      name: 'string',
      severity: type.enumerated(...SEVERITIES).configure({ description: 'a severity' }, 'self'),
      state: type("'obeyed' | 'violated' | 'not_evaluated'").configure(
        { description: 'obeyed, violated or not_evaluated' },
        'self',
      ),
      violations: 'number.integer',
    }).array(),
    violations: type({
      policy: 'string',
      file: 'string',
      line: 'number.integer >= 1',
      message: 'string',
      severity: type.enumerated(...SEVERITIES).configure({ description: 'a severity' }, 'self'),
    }).array(),
    not_evaluated: type({ policy: 'string', 'file?': 'string', reason: 'string', detail: 'string' })
      .array()
      .describe('what could not be evaluated: neither obeyed nor violated'),
  }),
  examples: [
    ['svc check-policies --init', 'write a policies.yaml that passes'],
    ['svc check-policies', 'check the policies: exit 1 on violations'],
    ['svc check-policies --config team/policies.yaml --json', 'check another file, and print JSON'],
  ],

  check: async ({ config: named, init }, context) => {
    if (init) await refuseExisting(named, await loadConfig(context.cwd, { env: context.env }), context)
  },

  async run({ config: named, init }, context) {
    const config = await loadConfig(context.cwd, { env: context.env })
    const file = init ? await refuseExisting(named, config, context) : undefined
    const read = init ? undefined : await readPolicies(config.root, named, context.cwd)
    const listing = await discover(config.root, { exclude: config.scan_exclude, signal: context.signal })
    const { signal, env } = context
    const facts = gatherFacts({
      ...{ listing, max_file_bytes: config.scan.max_file_bytes, env, signal },
      outcome: () => readLatestRun(config, context),
    })
    const evaluation = { facts, root: config.root, limits: config.scan, signal }
    let path = read?.path
    let policies = read?.policies
    if (file !== undefined) {
      const { makePolicyTemplate } = await import('../../quality/policies/template.ts')
      writeProjectFile(config.root, file, (await makePolicyTemplate(file, evaluation)).text)
      ;({ path, policies } = await readPolicies(config.root, file, config.root))
    }
    const { violations, gaps } = await evaluatePolicies(policies!, { ...evaluation, path: path! })
    const states = policies!.map(({ name, severity }) => {
      const count = violations.filter(({ policy }) => policy === name).length
      const isKnown = !gaps.some(({ policy }) => policy === name)
      const state = count > 0 ? ('violated' as const) : isKnown ? ('obeyed' as const) : ('not_evaluated' as const)
      return { name, severity, state, violations: count }
    })
    return {
      passed: violations.length === 0 && !gaps.some(({ reason }) => isBrokenOff(reason)),
      path: path!,
      created: init,
      policies: states,
      violations: violations.map(({ subject: _, ...violation }) => violation),
      not_evaluated: gaps,
    }
  },

  text({ path, created, policies, violations, not_evaluated }, { paint, verbose }) {
    const ordered = [...violations].sort((a, b) => rank(a.severity) - rank(b.severity))
    const shown = verbose ? ordered : ordered.slice(0, SHOWN)
    const count = (state: string) => policies.filter(policy => policy.state === state).length
    const gaps = verbose ? not_evaluated : not_evaluated.slice(0, SHOWN)
    const more = (hidden: number) => (hidden > 0 ? [`  and ${hidden} more; -v shows all`] : [])
    return [
      ...(created ? [`${paint('green', 'created')}  ${path}`] : []),
      ...shown.map(
        ({ severity, file, line, policy, message }) =>
          `${paint(SEVERITY_STYLE[severity], severity.padEnd(8))}  ${escapeInvisibleLine(file)}:${line}  ${paint('dim', policy)}  ${escapeInvisibleLine(message)}`,
      ),
      ...more(ordered.length - shown.length),
      ...gaps.map(
        ({ policy, file, detail }) =>
          `${paint('yellow', 'not evaluated')}  ${file === undefined ? '' : `${escapeInvisibleLine(file)}  `}${paint('dim', policy)}  ${escapeInvisibleLine(detail)}`,
      ),
      ...more(not_evaluated.length - gaps.length),
      `${formatCount(policies.length, 'policy', 'policies')} in ${path}: ${count('obeyed')} obeyed, ${count('violated')} violated (${formatCount(violations.length, 'violation')}), ${count('not_evaluated')} not evaluated.`,
    ].join('\n')
  },

  exit: ({ passed }) => (passed ? 0 : 1),
})

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity)
}

/** The file that --init writes; CONFLICT where it, or another that would apply beside it, is there. */
async function refuseExisting(named: string | undefined, { root }: Config, { cwd }: Context): Promise<string> {
  const { relative, resolve, sep } = await import('node:path')
  const file = named === undefined ? POLICIES_PATHS[0] : relative(root, resolve(cwd, named)).split(sep).join('/')
  const present = existsSync(join(root, file)) ? file : named === undefined ? findPolicyFile(root) : undefined
  if (present !== undefined)
    throw new EngineError('CONFLICT', `${present} exists already and stays unchanged.`, {
      hint: 'Edit it, or remove it first.',
    })
  return file
}

/** What the latest run of the whole repository found and counted. */
async function readLatestRun({ root }: Config, context: Context): Promise<Known<Outcome>> {
  try {
    return await runWithStore({ ...context, cwd: root }, async store => {
      const [latest] = (await store.wholeRuns()).runs
      if (!latest) return { missing: 'no run of the whole repository is stored: run `svc scan` first' }
      const files = new Map((await store.files(latest.id)).map(file => [file.path, file]))
      const { findings } = await store.findings(latest.id, { limit: Number.MAX_SAFE_INTEGER })
      // As in a scan: what rules found, not what contributors add to it.
      const own = findings.filter(({ rule_id }) => !/^[a-z-]+:/.test(rule_id))
      return { value: { findings: own, metricsOf: path => files.get(path) as never } }
    })
  } catch (error) {
    const { code, message } = toEngineError(error)
    if (code === 'INTERRUPTED' || code === 'INTERNAL') throw error
    return { missing: `the latest run cannot be read: ${message}` }
  }
}
