import type { CelInput } from '@bufbuild/cel'
import { listNamings } from '../../../base/records/rule-ids.ts'
import { formatCount } from '../../../base/text/words.ts'
import { runBounded } from '../bounded.ts'
import { listFolders } from '../checks/paths.ts'
import type { Report } from '../checks/report.ts'
import type { Evaluation } from '../evaluate.ts'
import type { Cel, Policy } from '../policy.ts'
import type { FactKind } from './types.ts'
import {
  type CelObject,
  type FileExtra,
  toDependencyObject,
  toFileObject,
  toFindingObject,
  toFolderObject,
  toGitObject,
} from './values.ts'

/** What an expression is evaluated for: the value that it has a name for, and where a violation is reported. */
interface Subject {
  /** With each of the names that rules may have, as `listNamings` lists them. */
  variables: readonly Record<string, CelInput>[]
  file: string
  line: number
  subject: string
}

/** Evaluates an expression for the repository, or for each file, directory, dependency or finding. What is not known makes it not evaluated. */
export async function checkCel(cel: Cel, policy: Policy, evaluation: Evaluation, report: Report): Promise<void> {
  const { isCelError } = await import('./library.ts')
  const known = await gather(cel, evaluation)
  if (typeof known === 'string') return report.skip('no_data', known)
  const subjects = await listSubjects(cel, policy, evaluation, known)
  const failures: { message: string; file: string }[] = []
  const work = ({ variables, file, line, subject }: Subject) => {
    for (const values of variables) {
      const answer = cel.check.evaluate(values)
      if (isCelError(answer)) return void failures.push({ message: answer.message, file })
      if (typeof answer !== 'boolean') return void failures.push({ message: `the expression gave no bool`, file })
      if (answer) continue
      const text = cel.message?.evaluate(values)
      const message = typeof text === 'string' ? text : (policy.reason ?? `Not true here: ${cel.check.source.trim()}`)
      return void report.violate(file, line, message, subject)
    }
  }
  const { limits, signal } = evaluation
  const late = await runBounded(subjects, work, { limitMs: limits.rule_deadline_ms, signal })
  for (const { file } of late)
    report.skip('timed_out', 'the expression timed out', cel.for === 'repository' ? undefined : file)
  skipFailures(failures, cel, report)
}

/** One gap for each kind of failure: a file without data is none of the expression's faults, and a thousand of them are one thing to know. */
function skipFailures(failures: readonly { message: string; file: string }[], cel: Cel, report: Report): void {
  const byMessage = new Map<string, string[]>()
  for (const { message, file } of failures) byMessage.set(message, [...(byMessage.get(message) ?? []), file])
  for (const [message, files] of byMessage) {
    const [, field] = /^field not found: (\w+)$/.exec(message) ?? []
    const where =
      cel.for === 'repository'
        ? ''
        : ` for ${formatCount(files.length, cel.for, cel.for === 'dependency' ? 'dependencies' : `${cel.for}s`)}, first ${files[0]}`
    const detail = field === undefined ? `${message}${where}` : `no data for ${field}${where}`
    report.skip(field === undefined ? 'rule_failed' : 'no_data', detail)
  }
}

/** Why nobody knows what the expression asks about, or what is known. */
async function gather({ check, message }: Cel, { facts }: Evaluation): Promise<Facts | string> {
  const needs = new Set<FactKind>([...check.needs, ...(message?.needs ?? [])])
  const out: Facts = { named: new Set([...check.variables, ...(message?.variables ?? [])]) }
  if (needs.has('metrics')) {
    const metrics = await facts.metrics()
    if ('missing' in metrics) return metrics.missing
    out.metrics = metrics.value
  }
  if (needs.has('history')) {
    const history = await facts.history()
    if ('missing' in history) return history.missing
    out.history = history.value
  }
  if (needs.has('findings')) {
    const findings = await facts.findings()
    if ('missing' in findings) return findings.missing
    out.findings = findings.value
  }
  if (needs.has('git')) {
    const git = await facts.git()
    if ('missing' in git) return git.missing
    out.git = toGitObject(git.value)
  }
  if (needs.has('dependencies')) {
    const { dependencies, unread } = await facts.declared()
    if (unread[0]) return `${unread[0].manifest} was not read: ${unread[0].reason}`
    out.dependencies = dependencies
  }
  return out
}

interface Facts {
  named: ReadonlySet<string>
  metrics?: Extract<Awaited<ReturnType<Evaluation['facts']['metrics']>>, { value: unknown }>['value']
  history?: Extract<Awaited<ReturnType<Evaluation['facts']['history']>>, { value: unknown }>['value']
  findings?: Extract<Awaited<ReturnType<Evaluation['facts']['findings']>>, { value: unknown }>['value']
  git?: CelObject
  dependencies?: Awaited<ReturnType<Evaluation['facts']['declared']>>['dependencies']
}

async function listSubjects(
  cel: Cel,
  { isExempt, line }: Policy,
  { facts, path }: Evaluation,
  known: Facts,
): Promise<Subject[]> {
  const { celList, celMap } = await import('./library.ts')
  const { named, dependencies = [], findings = [] } = known
  const isAbout = (file: string) => cel.matches(file) && !isExempt(file)
  const extra = (file: string): FileExtra => ({ metrics: known.metrics?.(file), change: known.history?.get(file) })
  const toFile = (file: (typeof facts.files)[number]) => toFileObject(file, extra(file.path))
  const namings = listNamings(`${cel.check.source}\n${cel.message?.source ?? ''}`, findings)
  const listed = (objects: CelObject[]) => celList(objects.map(each => celMap(new Map(Object.entries(each)))))
  const fixed: Record<string, CelInput> = {
    ...(named.has('files') && { files: listed(facts.files.map(toFile)) }),
    ...(named.has('dependencies') && { dependencies: listed(dependencies.map(toDependencyObject)) }),
    ...(known.git && { git: known.git }),
  }
  const shared = namings.map(naming => ({
    ...fixed,
    ...(named.has('findings') && { findings: listed(findings.map(finding => toFindingObject(finding, naming))) }),
  }))
  const about = (value: CelObject) => shared.map(variables => ({ ...variables, [cel.for]: value }))
  switch (cel.for) {
    case 'repository':
      return [{ variables: shared, file: path, line, subject: '' }]
    case 'file':
      return facts.files
        .filter(file => isAbout(file.path))
        .map(file => ({ variables: about(toFile(file)), file: file.path, line: 1, subject: '' }))
    case 'folder':
      return [...listFolders(facts.files)]
        .filter(([folder]) => isAbout(folder))
        .map(([folder, files]) => ({
          variables: about(toFolderObject(folder, files.map(toFile))),
          file: files[0]!.path,
          line: 1,
          subject: folder,
        }))
    case 'dependency':
      return dependencies
        .filter(({ manifest }) => isAbout(manifest))
        .map(each => ({
          variables: about(toDependencyObject(each)),
          file: each.manifest,
          line: each.line,
          subject: each.name,
        }))
    case 'finding':
      return findings
        .filter(({ file }) => isAbout(file))
        .map(each => ({
          variables: namings.map((naming, index) => ({ ...shared[index], finding: toFindingObject(each, naming) })),
          file: each.file,
          line: each.line,
          subject: each.fingerprint,
        }))
  }
}
