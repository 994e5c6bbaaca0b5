import type { Component, Inventory } from '../inventory/component.ts'
import { formatTree, joinTrees, type LicenseReading, type LicenseTree, readLicense } from './expression.ts'
import { identifyLicenses } from './identify.ts'
import { classifyTree, isCopyleft, KINDS, type LicenseKind, type LicenseRisk, RISKS } from './kinds.ts'
import type { LocalPackage } from './local/disk.ts'
import type { FindLocal } from './local/find.ts'
import type { LicenseRules } from './overrides.ts'
import { type CompiledPolicy, judgeKind, judgeTree } from './policy.ts'
import type { RegistryAnswer } from './registry/ask.ts'
import type { LicenseRecord, LicenseReport, LicenseSource } from './report.ts'

export interface LicenseContext {
  rules: LicenseRules
  findLocal: FindLocal
  /** What registries say of components, by their ids; empty where none was asked. */
  answers: ReadonlyMap<string, RegistryAnswer>
  now: number
  notices?: readonly string[]
}

/** What was found of one component, before it is judged. */
interface Found {
  tree?: LicenseTree
  proprietary?: true
  declared?: string
  source: LicenseSource
  source_file?: string
  reason?: string
}

/** The licenses of an inventory's components: from overrides, the lock file, what is installed, its license files, and registries, in this order. */
export function assessLicenses(inventory: Inventory, context: LicenseContext): LicenseReport {
  const records = inventory.components.map(component =>
    describe(component, findLicense(component, context), context.rules.policy),
  )
  records.sort(compareRecords)
  const by_risk: Record<LicenseRisk, number> = { high: 0, medium: 0, low: 0, none: 0 }
  const by_kind = Object.fromEntries(KINDS.map(kind => [kind, 0])) as Record<LicenseKind, number>
  for (const { risk, kind } of records) {
    by_risk[risk]++
    by_kind[kind]++
  }
  const countOf = (verdict: string) => records.filter(({ policy }) => policy === verdict).length
  return {
    generated_at: new Date(context.now).toISOString(),
    total_dependencies: records.length,
    by_risk,
    by_kind,
    copyleft: records.filter(({ copyleft }) => copyleft).length,
    unknown: by_kind.unknown,
    ...(context.rules.policy && { denied: countOf('denied'), review: countOf('review') }),
    dependencies: records,
    unread_manifests: inventory.manifests.flatMap(({ file, state, detail, line }) =>
      state === 'failed' || state === 'unsupported'
        ? [{ file, state, detail: detail ?? '', ...(line !== undefined && { line }) }]
        : [],
    ),
    manifests: inventory.manifests.length,
    notices: [...(context.notices ?? []), ...context.rules.listUnused()],
  }
}

function findLicense(component: Component, { rules, findLocal, answers }: LicenseContext): Found {
  const set = rules.findOverride(component)
  if (set) return { tree: set.tree, source: 'override', reason: set.override.reason }
  const list = component.ecosystem === 'PyPI' ? 'and' : 'or'
  let said: Found | undefined
  if (component.license !== undefined) {
    said = take(readLicense(component.license, { list }), component.license, 'lock_file')
    if (said.tree || said.proprietary) return said
  }
  const local = findLocal(component)
  if (local) {
    for (const text of local.said) {
      const found = { ...take(readLicense(text, { list: local.list }), text, 'installed'), source_file: local.from }
      if (found.tree || found.proprietary) return found
      said ??= found
    }
    const byText = identifyFiles(local)
    if (byText.tree) return { ...byText, ...(said?.declared !== undefined && { declared: said.declared }) }
    said = { ...said, source: said?.source ?? 'none', reason: byText.reason! }
  }
  const answer = answers.get(component.id)
  if (answer?.said !== undefined) {
    const found = { ...take(readLicense(answer.said, { list }), answer.said, 'registry'), source_file: answer.from }
    if (found.tree || found.proprietary) return found
    said ??= found
  }
  if (said) return said
  return { source: 'none', reason: answer?.failure ?? explainMissing(component) }
}

function take(read: LicenseReading, said: string, source: LicenseSource): Found {
  if ('proprietary' in read) return { proprietary: true, declared: said, source }
  if ('unknown' in read)
    return { declared: said, source, reason: `${JSON.stringify(said.slice(0, 80))} means no license of SPDX's list` }
  return { tree: read.tree, source, ...(read.corrected && { declared: said }) }
}

/** The licenses of a package's files: several files hold together, unless each is named after its license, as in packages with a choice. */
function identifyFiles(local: LocalPackage): Found {
  const files = local.readFiles().filter(({ isNotice }) => !isNotice)
  const found = files.map(({ name, text }) => ({ name, ...identifyLicenses(text) }))
  const known = found.flatMap(({ name, tree }) => (tree ? [{ name, tree }] : []))
  if (known.length === 0)
    return {
      source: 'none',
      reason:
        files.length === 0
          ? 'the package says nothing, and has no license file'
          : `the license in ${files[0]!.name} is not on SPDX's list`,
    }
  const isChoice = known.length > 1 && known.every(({ name }) => /^licen[cs]e[-_.](?!txt$|md$|rst$)/i.test(name))
  return {
    tree: joinTrees(
      isChoice ? 'any' : 'all',
      known.map(({ tree }) => tree),
    ),
    source: 'text',
    source_file: `${local.from.replace(/\/?(?:package\.json|METADATA|PKG-INFO|Cargo\.toml|composer\.json)$/, '')}/${known[0]!.name}`,
  }
}

function explainMissing({ version, ecosystem }: Component): string {
  return version === undefined
    ? 'the version is unknown without a lock file'
    : `no license in the manifests and lock files, and the package is not installed here (${ecosystem})`
}

function describe(component: Component, found: Found, policy: CompiledPolicy | undefined): LicenseRecord {
  const { id, name, version, ecosystem, purl, direct, scope, locations } = component
  const kind: LicenseKind = found.tree ? classifyTree(found.tree) : found.proprietary ? 'proprietary' : 'unknown'
  const verdict =
    policy &&
    (found.tree ? judgeTree(policy, found.tree) : judgeKind(policy, found.proprietary ? 'proprietary' : 'unknown'))
  return {
    package: name,
    ...(version !== undefined && { version }),
    ecosystem,
    ...(purl !== undefined && { purl }),
    ...{ component: id, direct, scope, locations },
    ...(found.tree && { license: formatTree(found.tree) }),
    ...(found.declared !== undefined && { declared: found.declared.slice(0, 500) }),
    source: found.source,
    ...(found.source_file !== undefined && { source_file: found.source_file }),
    ...{ kind, risk: RISKS[kind], copyleft: isCopyleft(kind) },
    ...(found.reason !== undefined && { reason: found.reason }),
    ...(verdict && { policy: verdict }),
  }
}

const RISK_ORDER: readonly LicenseRisk[] = ['high', 'medium', 'low', 'none']

/** The most risk first; unknown ones after known ones of the same risk. */
function compareRecords(a: LicenseRecord, b: LicenseRecord): number {
  const compare = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0)
  return (
    RISK_ORDER.indexOf(a.risk) - RISK_ORDER.indexOf(b.risk) ||
    Number(a.kind === 'unknown') - Number(b.kind === 'unknown') ||
    compare(a.package, b.package) ||
    compare(a.component, b.component)
  )
}
