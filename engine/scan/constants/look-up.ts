import type { Finding, FlowStep } from '../../base/records/finding.ts'
import type { Notice } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { formatCount } from '../../base/text/words.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { toFinding } from '../merge.ts'
import { isSmall } from '../plan.ts'
import type { Perform } from '../tasks.ts'
import type { WholeRepository } from '../whole-repository.ts'
import { FileValues, type ValueBasis } from './file-values.ts'
import type { ConstantMemory, FoundByValue, LookedUp } from './memory.ts'

/** What is looked up: names in files of code, for rules that judge values. */
export interface LookUpRequest extends ValueBasis, WholeRepository {
  limits: ValueBasis['limits']
  /** Files whose names are looked up, in order. */
  files: readonly SourceFile[]
  /** Rules that judge values. */
  rules: readonly CompiledRule[]
  /** What files came to in the scan before; left out where nothing is to be taken from it or kept. */
  memory?: ConstantMemory
  /** Performs a task on a thread; left out where there is none. */
  perform?: Perform | undefined
}

/** What was found by values that stand elsewhere, and what could not be told. */
export interface LookUpResult {
  findings: Finding[]
  notices: Notice[]
}

/** A value of another file is what it says as long as nobody changes it there; one of a file of settings may be replaced when the program runs. */
const CONFIDENCE = { program: 0.9, environment: 0.7, settings: 0.8, module: 0.8 }

/**
 * What rules that judge values find where the value stands in another file: each file that may use one is judged once more as if the values
 * stood in it, on a thread where there is one and much is to be looked up. Bounded by counts, so that the same repository comes to the same on every machine.
 */
export async function lookUpValues(request: LookUpRequest): Promise<LookUpResult> {
  const { files, memory, rules, signal, perform, root, limits, code, settings, projects, modules } = request
  const here = new FileValues(request, rules, { memory, signal })
  const found = memory ? await here.findKnown(files, memory) : new Map<SourceFile, LookedUp>()
  const unknown = files.filter(file => !found.has(file))
  const isElsewhere = perform && found.size === 0 && !isSmall(unknown)
  const basis: ValueBasis = { root, limits, code, settings, projects, modules }
  const answer = await (isElsewhere
    ? perform({ kind: 'values', question: { basis, files: unknown } })
    : here.perform(unknown))
  answer.files.forEach((own, at) => {
    if (!own) return
    const file = unknown[at]!
    if (own.isVerified) memory?.keep(file, own.asked, own.answers, own.own)
    found.set(file, own.own)
  })
  for (const { file, definitions } of answer.defined) memory?.keepDefinitions(file, definitions)
  const report = new ValueReport(request)
  for (const file of files) {
    const own = found.get(file)
    if (own) report.take(file, own)
  }
  return report.conclude(answer.left)
}

/** Collects what files came to. */
class ValueReport {
  readonly #request: LookUpRequest
  readonly #findings: Finding[] = []
  /** References in resources that nothing tells the value of. */
  readonly #open = { count: 0, files: [] as string[] }
  readonly #ambiguous = new Map<string, Set<string>>()

  constructor(request: LookUpRequest) {
    this.#request = request
  }

  take(file: SourceFile, { found, ambiguous, open = 0 }: LookedUp): void {
    if (open > 0) {
      this.#open.count += open
      this.#open.files.push(file.path)
    }
    for (const each of found) this.#report(file, each)
    for (const { name, paths } of ambiguous) {
      const known = this.#ambiguous.get(name) ?? new Set<string>()
      for (const path of paths) known.add(path)
      this.#ambiguous.set(name, known)
    }
  }

  /** `left`: files that were not read for their constants, since too many were. */
  conclude(left: number): LookUpResult {
    const notices: Notice[] = []
    if (this.#open.count > 0) {
      const detail = `${formatCount(this.#open.count, 'value')} of resources not evaluated in ${formatCount(this.#open.files.length, 'file')} (${this.#open.files.slice(0, NAMED).join(', ')}${this.#open.files.length > NAMED ? ', …' : ''}): variables and locals without a plain value in the module`
      notices.push({ kind: 'values_not_looked_up', file: '.', detail })
    }
    if (this.#ambiguous.size > 0) {
      const names = [...this.#ambiguous].map(([name, paths]) => `${name} (${[...paths].join(', ')})`)
      const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
      notices.push({
        kind: 'values_not_looked_up',
        file: '.',
        detail: `${formatCount(names.length, 'name')} not evaluated: files give different values for ${names.slice(0, NAMED).join(', ')}${more}`,
      })
    }
    if (left > 0)
      notices.push({
        kind: 'values_not_looked_up',
        file: '.',
        detail: `constants of ${formatCount(left, 'file')} not looked up: limit reached`,
      })
    return { findings: this.#findings, notices }
  }

  #report({ path, language, in_test }: SourceFile, { match, values }: FoundByValue): void {
    const rule = this.#request.rules[match.rule]!
    if (!this.#request.applies(rule.id, path)) return
    const finding = toFinding(rule, match, { path, language: language!, in_test }, this.#request.controls)
    const flow = values.flatMap(({ at, use }): FlowStep[] => [
      {
        file: at.path,
        line: at.line,
        column: at.column,
        end_line: at.line,
        end_column: at.end_column,
        label: `value of ${at.name}`,
      },
      { file: path, ...use, label: `read as ${at.name}` },
    ])
    const { line, column, end_line, end_column } = match
    const confidence = Math.min(finding.confidence, ...values.map(({ kind }) => CONFIDENCE[kind]))
    const { fix: _, ...unfixed } = finding
    this.#findings.push({
      ...unfixed,
      confidence,
      deterministic: false,
      flow: [...flow, { file: path, line, column, end_line, end_column, label: 'used here' }],
    })
  }
}

/** Names that are listed at most. */
const NAMED = 5

/** Those of the findings whose value is not reported where it stands, by a rule of the same weakness. */
export function dropReportedValues(findings: readonly Finding[], known: readonly Finding[]): Finding[] {
  const reported = new Map<string, string[]>()
  for (const { file, line, cwe } of known) {
    const key = JSON.stringify([file, line])
    const before = reported.get(key)
    if (before) before.push(...cwe)
    else reported.set(key, [...cwe])
  }
  return findings.filter(({ flow, cwe }) => {
    const [first] = flow!
    const own = reported.get(JSON.stringify([first!.file, first!.line]))
    return !own?.some(name => cwe.includes(name))
  })
}
