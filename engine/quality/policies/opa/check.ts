import { Worker } from 'node:worker_threads'
import { DIST } from '../../../base/disk/assets.ts'
import type { OpaAnswer, OpaTask } from '../../../base/records/opa-task.ts'
import { listNamings, type RuleNaming, resolveRuleId } from '../../../base/records/rule-ids.ts'
import { cut } from '../../../base/text/words.ts'
import type { Report } from '../checks/report.ts'
import type { Evaluation } from '../evaluate.ts'
import type { PolicyFacts } from '../facts.ts'
import type { Opa, Policy } from '../policy.ts'
import { readBundle } from './bundle.ts'
import { checkModuleLimits } from './module-limits.ts'

/** Beyond the policy's deadline, for a thread to start. */
const START_MS = 2000
const HEAP_MB = 512
/** Violations of one policy that are read, characters of a message or path, and the last line that one may name. */
const MOST_ANSWERS = 10_000
const MOST_CHARACTERS = 1000
const MOST_LINES = 100_000_000

/**
 * Runs a policy that was compiled to WebAssembly on a thread of its own, with a deadline and bounded memory. Its entrypoint answers whether the
 * repository obeys (a bool), or a list of violations: strings, or maps of msg, file and line. Anything else, and no answer, is not evaluated.
 */
export async function checkOpa(
  { module, entrypoint, data }: Opa,
  policy: Policy,
  { facts, root, path, limits, signal }: Evaluation,
  report: Report,
): Promise<void> {
  const bundle = await readBundle(root, module)
  checkModuleLimits(bundle.wasm)
  const own = { ...(bundle.data as object | undefined), ...(data as object | undefined) }
  const findings = await facts.findings()
  const text = `${Buffer.from(bundle.wasm).toString('latin1')}${JSON.stringify(own)}`
  let seen = new Set<string>()
  for (const naming of listNamings(text, 'value' in findings ? findings.value : [])) {
    const wasm = Uint8Array.from(bundle.wasm)
    const task: OpaTask = { wasm, input: await makeInput(facts, naming), data: own, entrypoint }
    const answer = await runOnThread(task, limits.rule_deadline_ms, signal)
    if (answer === 'timed_out')
      return report.skip('timed_out', `${module} timed out after ${limits.rule_deadline_ms} ms`)
    if ('failure' in answer) return report.skip('rule_failed', `${module}: ${answer.failure}`)
    const { value } = answer
    if (value === true) continue
    if (value === undefined) return report.skip('no_data', `${module} left the entrypoint undefined`)
    if (value === false) return report.violate(path, policy.line, policy.reason ?? `${module} denied the repository.`)
    if (!Array.isArray(value)) return report.skip('rule_failed', `${module} answered neither a bool nor a list`)
    // The same violation may name a rule by its id and by a key.
    const said = value
      .slice(0, MOST_ANSWERS)
      .map(each => [each, (JSON.stringify(each) ?? '').replaceAll(/[\w-]+/g, resolveRuleId)] as const)
    for (const [each, words] of said) if (!seen.has(words)) reportOne(each, path, policy, report)
    seen = new Set(said.map(([, words]) => words))
    if (value.length > MOST_ANSWERS)
      report.skip('too_costly', `${module} answered ${value.length} violations: only ${MOST_ANSWERS} were read`)
  }
}

function reportOne(each: unknown, path: string, policy: Policy, report: Report): void {
  const {
    msg,
    message: said,
    file,
    line,
  } = (typeof each === 'object' && each !== null ? each : { msg: each }) as Record<string, unknown>
  const text = [msg, said].find((value): value is string => typeof value === 'string' && value !== '')
  if (text === undefined) {
    report.skip('rule_failed', 'a violation has no msg')
    return
  }
  const message = cut(text, MOST_CHARACTERS)
  if (typeof file !== 'string' || file === '') report.violate(path, policy.line, message, message)
  else if (!isRepositoryPath(file)) {
    const named = `${message} (${cut(file, MOST_CHARACTERS)})`
    report.violate(path, policy.line, named, named)
  } else report.violate(file, isLine(line) ? line : 1, message, message)
}

function isLine(line: unknown): line is number {
  return Number.isInteger(line) && (line as number) > 0 && (line as number) < MOST_LINES
}

/** Whether a policy names a place in the repository, which need not have a file: an answer is not trusted to. */
function isRepositoryPath(file: string): boolean {
  return (
    file.length <= MOST_CHARACTERS &&
    !/[\p{Cc}\\]|^\/|^[A-Za-z]:/u.test(file) &&
    file.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  )
}

/** What the policy reads as `input`; a part that is not known here is left out. */
async function makeInput(facts: PolicyFacts, nameRule: RuleNaming): Promise<object> {
  const [metrics, findings, git, { dependencies }] = await Promise.all([
    facts.metrics(),
    facts.findings(),
    facts.git(),
    facts.declared(),
  ])
  const files = facts.files.map(({ path, size, language, in_test }) => ({
    ...{ path, size, language, in_test },
    ...('value' in metrics && { metrics: metrics.value(path) }),
  }))
  return {
    files,
    dependencies,
    ...('value' in findings && {
      findings: findings.value.map(({ rule_id, also, base_severity, category, title, file, line, cwe }) => ({
        rule: nameRule({ rule_id, ...(also && { also }) }),
        ...{ severity: base_severity, category, title, file, line, cwe },
      })),
    }),
    ...('value' in git && { git: git.value }),
  }
}

function runOnThread(task: OpaTask, limitMs: number, signal: AbortSignal): Promise<OpaAnswer | 'timed_out'> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('opa.js', DIST), {
      workerData: task,
      stdout: true,
      stderr: true,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    const settle = (end: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      void thread.terminate()
      end()
    }
    const abort = () => settle(() => reject(signal.reason))
    const timer = setTimeout(() => settle(() => resolve('timed_out')), limitMs + START_MS)
    signal.addEventListener('abort', abort, { once: true })
    thread.once('message', (answer: OpaAnswer) => settle(() => resolve(answer)))
    thread.once('error', error => settle(() => resolve({ failure: error.message })))
    thread.once('exit', () => settle(() => resolve({ failure: 'its thread ended without an answer' })))
  })
}
