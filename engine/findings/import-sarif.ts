import { detectLanguage, isTestPath } from '../base/languages/languages.ts'
import { type Category, compareFindings, type Finding, type Suppression } from '../base/records/finding.ts'
import { computeFingerprint } from '../base/records/fingerprint.ts'
import { computeExternalIdentity } from './external-identity.ts'
import { type Json, list, map, readString } from './sarif/form.ts'
import { type Cut, cutRegion, type Ground, listLocations, Uris } from './sarif/place.ts'
import {
  type Described,
  findMessage,
  listTags,
  listWeaknesses,
  readConfidence,
  readDescription,
  readRemediation,
  readSeverity,
  readTitle,
} from './sarif/rule.ts'

export interface ImportOptions extends Ground {
  /** The scanner's name in the configuration; findings carry it as `external:<name>` and their rules as `<name>:<rule>`. */
  name: string
  /** A repository file's text as it is now; undefined where it cannot be read. Asked for once a file. */
  textOf: (path: string) => string | undefined
  /** Whether the configuration leaves a path out. */
  excluded: (path: string) => boolean
  /** The commit that is scanned, to tell a report of another one. */
  git_sha?: string
}

/** Results that are no findings here, with some of their paths or rules. */
export interface LeftOut {
  count: number
  names: string[]
}

/** What a report came to. Every one of its results is in one of the findings or counted in one of the numbers. */
export interface SarifImport {
  /** Sorted by compareFindings. */
  findings: Finding[]
  /** Results in files that are not the repository's. */
  outside: LeftOut
  /** Results in files that the configuration leaves out. */
  excluded: LeftOut
  /** Results that name no file. */
  unplaced: LeftOut
  /** Results that say of themselves that nothing is wrong: passed, not applicable, or gone since an earlier run. */
  passed: number
  /** Results that repeat another one in every respect. */
  repeated: number
  /** Departures from the standard that were put up with, and what else a person should know. */
  defects: string[]
  /** Why the report is not the whole answer: the tool failed, or results are kept elsewhere. Never to be taken for clean. */
  failures: string[]
}

/** Paths that are named where there are more. */
const MOST_NAMED = 5
const LONGEST_MESSAGE = 2000

/**
 * The findings in a SARIF 2.1.0 log (OASIS), as text. What departs from the standard as tools are known to is put up with and
 * told; a text that is no SARIF log at all throws a TypeError with the reason. No result is lost: each is a finding or counted.
 */
export function importSarif(log: string, options: ImportOptions): SarifImport {
  const document = parsed(log)
  const found: SarifImport = {
    findings: [],
    outside: { count: 0, names: [] },
    excluded: { count: 0, names: [] },
    unplaced: { count: 0, names: [] },
    passed: 0,
    repeated: 0,
    defects: [],
    failures: [],
  }
  if (!/^2\./.test(String(document.version)))
    found.defects.push(`the version is ${JSON.stringify(document.version ?? null)}, read as 2.1.0`)
  const drafts: Draft[] = []
  const texts = new Map<string, string | undefined>()
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, options.textOf(path))
    return texts.get(path)
  }
  for (const run of list(document.runs).map(map)) importRun(run, { ...options, textOf }, found, drafts)
  found.findings = identified(drafts, found)
  found.defects = [...new Set(found.defects)]
  return found
}

/** A finding without its fingerprint, and what that is to be made from. */
interface Draft {
  finding: Omit<Finding, 'id' | 'fingerprint'>
  identity: string
}

function parsed(log: string): Json {
  let value: unknown
  try {
    value = JSON.parse(log.replace(/^\ufeff/, ''))
  } catch {
    throw new TypeError(log.trim() === '' ? 'it is empty' : 'it is not valid JSON')
  }
  const document = map(value)
  if (!Array.isArray(document.runs)) throw new TypeError('it is JSON, but no SARIF log: it has no list of runs')
  if (/^1\./.test(String(document.version))) throw new TypeError('it is SARIF 1; only 2.1.0 is supported')
  return document
}

function importRun(run: Json, options: ImportOptions, found: SarifImport, drafts: Draft[]): void {
  if (!Array.isArray(run.results))
    found.failures.push('a run has no list of results, which in SARIF means that it did not run')
  if (list(map(run.externalPropertyFileReferences).results).length > 0)
    found.failures.push('results are in external files, which are not read')
  for (const invocation of list(run.invocations).map(map)) {
    if (invocation.executionSuccessful !== false) continue
    const said = list(invocation.toolExecutionNotifications).map(notification =>
      readString(map(map(notification).message).text),
    )
    found.failures.push(`the tool reports that it failed${said[0] ? `: ${said[0].slice(0, 200)}` : ''}`)
  }
  const revision = list(run.versionControlProvenance).flatMap(entry => readString(map(entry).revisionId) ?? [])[0]
  if (revision && options.git_sha && !options.git_sha.startsWith(revision.toLowerCase()))
    found.defects.push(`the report is of commit ${revision.slice(0, 12)}, not of ${options.git_sha.slice(0, 12)}`)

  const uris = new Uris(run, options)
  const codePoints = run.columnKind === 'unicodeCodePoints'
  for (const value of list(run.results)) {
    const result = map(value)
    if (isNoFinding(result)) {
      found.passed++
      continue
    }
    const described = readDescription(result, run)
    if (described.id === undefined) found.defects.push('a result names no rule')
    const rule_id = ruleId(options.name, described.id)
    const places = listLocations(result).map(location => ({ location, at: uris.place(map(location.artifactLocation)) }))
    const placed = places.find(({ at }) => at !== undefined && 'path' in at)
    if (placed?.at && 'path' in placed.at) {
      const { path } = placed.at
      if (options.excluded(path)) {
        leaveOut(found.excluded, path)
        continue
      }
      const cut = cutRegion(map(placed.location.region), options.textOf(path), codePoints)
      drafts.push(draftOf(result, described, { name: options.name, rule_id, path, cut }))
      continue
    }
    const outside = places.flatMap(({ at }) => (at && 'outside' in at ? at.outside : []))[0]
    if (outside === undefined) leaveOut(found.unplaced, rule_id)
    else leaveOut(found.outside, outside)
  }
}

function leaveOut(left: LeftOut, name: string): void {
  left.count++
  if (left.names.length < MOST_NAMED && !left.names.includes(name)) left.names.push(name)
}

/** Whether a result says that nothing is wrong (3.27.9), or that what was wrong is gone (3.27.24). */
function isNoFinding({ kind, baselineState }: Json): boolean {
  return kind === 'pass' || kind === 'notApplicable' || baselineState === 'absent'
}

/** `<scanner>:<rule>`, of the characters that rule ids have. */
function ruleId(name: string, id: string | undefined): string {
  const clean = (id ?? 'unnamed').replace(/[^\w./:-]+/g, '-').replace(/^-+|-+$/g, '')
  return `${name}:${clean === '' ? 'unnamed' : clean}`
}

function draftOf(
  result: Json,
  described: Described,
  { name, rule_id, path, cut }: { name: string; rule_id: string; path: string; cut: Cut },
): Draft {
  const category = categoryOf(name, described)
  const covered = masker(category, cut)
  const message = covered(findMessage(result.message, described) ?? readTitle(described, rule_id)).slice(
    0,
    LONGEST_MESSAGE,
  )
  const severity = readSeverity(result, described)
  const suppression = suppressionOf(result, name)
  const finding: Draft['finding'] = {
    rule_id,
    pack_id: `external:${name}`,
    title: readTitle(described, message) || rule_id,
    message,
    severity,
    base_severity: severity,
    confidence: readConfidence(result, described),
    deterministic: false,
    category,
    is_obligation: false,
    file: path,
    ...cut.span,
    snippet: covered(cut.snippet),
    language: detectLanguage(path) ?? 'text',
    in_test: isTestPath(path),
    controls: [],
    cwe: listWeaknesses(result, described),
    tags: listTags(result, described),
    remediation: readRemediation(described),
    status: suppression ? 'suppressed' : 'open',
  }
  if (suppression) finding.suppression = suppression
  return { finding, identity: computeExternalIdentity(cut.folded, message) }
}

/** Fingerprints, with a number among equal ones; what repeats another in place, rule and words is one finding. */
function identified(drafts: readonly Draft[], found: SarifImport): Finding[] {
  const sorted = [...drafts].sort(
    (a, b) =>
      compareFindings(a.finding as Finding, b.finding as Finding) || compare(a.finding.message, b.finding.message),
  )
  const equals = new Map<string, number>()
  const seen = new Set<string>()
  const findings: Finding[] = []
  for (const { finding, identity } of sorted) {
    const { rule_id, file, line, column, end_line, end_column, message } = finding
    const whole = JSON.stringify([rule_id, file, line, column, end_line, end_column, message])
    if (seen.has(whole)) {
      found.repeated++
      continue
    }
    seen.add(whole)
    const key = `${rule_id}\0${file}\0${identity}`
    const index = equals.get(key) ?? 0
    equals.set(key, index + 1)
    const own = computeFingerprint(rule_id, file, identity, index)
    findings.push({ id: `F-${own.slice(0, 12)}`, fingerprint: own, ...finding })
  }
  return findings
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Suppressed as the standard says (3.27.23): by at least one suppression, and none that is rejected or under review. */
function suppressionOf({ suppressions }: Json, name: string): Suppression | undefined {
  const all = list(suppressions).map(map)
  if (all.length === 0 || all.some(({ status }) => status === 'rejected' || status === 'underReview')) return undefined
  const reason = all.flatMap(({ justification }) => readString(justification) ?? [])[0]
  return {
    kind: all[0]!.kind === 'inSource' ? 'inline' : 'file',
    reason: reason ?? `suppressed in ${name} without a reason`,
  }
}

const SECRET_TOOLS = /gitleaks|trufflehog|detect-secrets|ggshield|talisman|whispers|kingfisher|noseyparker|ripsecrets/i

/** What a finding is about, as far as rule and tool tell. */
function categoryOf(name: string, { id, rule }: Described): Category {
  const tags = list(map(rule.properties).tags).join(' ')
  const known = `${id ?? ''} ${readString(rule.name) ?? ''} ${tags}`
  if (SECRET_TOOLS.test(name) || /\bsecrets?\b|CWE-798|\bhard-?coded (?:secret|credential|password)/i.test(known))
    return 'secret'
  if (/^(?:CVE|GHSA|OSV|RUSTSEC|GO|PYSEC|SNYK|DSA|USN|RHSA)-/i.test(id ?? '')) return 'dependency'
  if (/\blicen[sc]e/i.test(tags)) return 'license'
  return /^(?:CKV|AVD|KSV|DS\d|kics)/.test(id ?? '') ? 'policy' : 'code'
}

/** Covers secrets in what is stored and shown, but for their beginnings: quoted and assigned values, and runs of the characters that keys have. */
function masker(category: Category, { folded }: Cut): (shown: string) => string {
  if (category !== 'secret') return shown => shown
  const secrets = new Set<string>()
  for (const [, , quoted] of folded.matchAll(/(["'`])((?:(?!\1).){4,})\1/g)) secrets.add(quoted!)
  for (const [, assigned] of folded.matchAll(/[:=]\s*([^\s"'`,;]{4,})/g)) secrets.add(assigned!)
  for (const [run] of folded.matchAll(/[\w+/=.~-]{8,}/g)) if (/\d/.test(run) || run.length >= 16) secrets.add(run)
  if (!/\s/.test(folded) && folded.length >= 4) secrets.add(folded)
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  return shown => longestFirst.reduce((text, secret) => text.replaceAll(secret, `${secret.slice(0, 3)}…`), shown)
}
