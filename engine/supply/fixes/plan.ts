import { dirname, posix } from 'node:path'
import { redactCredentials } from '../../base/text/credentials.ts'
import { readProjectText } from '../../fixes/project-text.ts'
import type { Affected } from '../advisories/advisory.ts'
import type { Assessment } from '../advisories/assess.ts'
import { judgeVersion } from '../advisories/ranges.ts'
import type { Vulnerability } from '../advisories/vulnerability.ts'
import type { Inventory } from '../inventory/component.ts'
import { findOrder } from '../versions/orders.ts'
import { compareRequirement } from './compare.ts'
import type { EditResult, ManifestEdit, ManifestEditor, Wanted } from './edit.ts'
import { EDITORS } from './editors.ts'

/** A change of a manifest as it is shown. */
export interface FixChange {
  file: string
  line?: number
  ecosystem: string
  package: string
  from: string
  to: string
  kind: 'direct' | 'override'
  removes: string[]
  breaking: boolean
  lock_command: string
}

/** A change with its replacement in the file. */
export interface PlannedFix {
  change: FixChange
  edit: ManifestEdit
}

/** A vulnerable package that no change of a manifest helps. */
export interface Unfixed {
  package: string
  version: string
  ids: string[]
  reason: string
}

/**
 * Plans the least changes that remove the most: each vulnerable package goes to the least version in which the most of its open vulnerabilities
 * are gone, where a manifest declares it; a transitive one is pinned where the ecosystem can.
 */
export async function planFixes(
  root: string,
  { report, findEntries, inventory }: Assessment & { inventory: Inventory },
): Promise<{ fixes: PlannedFix[]; unfixed: Unfixed[] }> {
  const fixes: Candidate[] = []
  const versions = new Versions(inventory)
  const unfixed: Unfixed[] = []
  const texts = new Texts(root)
  for (const group of groupByComponent(report.vulnerabilities)) {
    const [first] = group as [Vulnerability, ...Vulnerability[]]
    const target = chooseVersion(group.map(one => ({ one, entries: findEntries(one) })))
    const refuse = (reason: string, ids = group.map(({ id }) => id)) =>
      unfixed.push({ package: first.package, version: first.version, ids, reason })
    if (!target) {
      refuse('no fixed version is known')
      continue
    }
    const { to, removed } = target
    const left = group.filter(one => !removed.includes(one))
    if (left.length > 0)
      refuse(
        `${to} does not remove them, and no fixed version is known`,
        left.map(({ id }) => id),
      )
    const { ecosystem, package: name, version } = first
    const wanted: Wanted = { ecosystem, name, version, to, others: versions.listOthers(ecosystem, name, version) }
    const { planned, reason } = planPackage(first, wanted, texts, inventory)
    if (planned.length === 0) refuse(reason)
    const isRemoved = ({ id }: Vulnerability, by: string) =>
      removed.some(one => one.id === id && findEntries(one).every(entry => judgeVersion(entry, by) === 'unaffected'))
    for (const { change, edit } of planned) {
      const removes = removed.map(({ id }) => id)
      fixes.push({
        change: { ...change, removes },
        edit,
        version: to,
        listRemoved: by => removed.flatMap(one => (isRemoved(one, by) ? one.id : [])),
      })
    }
  }
  return { fixes: mergeSame(fixes), unfixed }
}

function groupByComponent(vulnerabilities: readonly Vulnerability[]): Vulnerability[][] {
  const groups = new Map<string, Vulnerability[]>()
  for (const one of vulnerabilities)
    if (one.status === 'open' && one.informational === undefined)
      groups.set(one.component, [...(groups.get(one.component) ?? []), one])
  return [...groups.values()]
}

/** The least version in which the most vulnerabilities are gone. */
function chooseVersion(
  group: readonly { one: Vulnerability; entries: readonly Affected[] }[],
): { to: string; removed: Vulnerability[] } | undefined {
  const order = findOrder(group[0]!.one.ecosystem)
  const candidates = [...new Set(group.flatMap(({ one }) => one.fixed_versions))].sort((a, b) =>
    order!.compare(order!.parse(a), order!.parse(b)),
  )
  let best: { to: string; removed: Vulnerability[] } | undefined
  for (const to of candidates) {
    const removed = group.flatMap(({ one, entries }) =>
      one.fixed_versions.length > 0 && entries.every(entry => judgeVersion(entry, to) === 'unaffected') ? [one] : [],
    )
    if (removed.length > (best?.removed.length ?? 0)) best = { to, removed }
  }
  return best
}

/** Changes of all manifests that declare the package; else a pin in the manifest of the projects that come to it. */
function planPackage(
  { locations, direct }: Vulnerability,
  wanted: Wanted,
  texts: Texts,
  inventory: Inventory,
): { planned: PlannedFix[]; reason: string } {
  const editors = EDITORS[wanted.ecosystem] ?? []
  const manifests = inventory.manifests.filter(({ state }) => state !== 'excluded').map(({ file }) => file)
  const named = new Set(locations.map(({ file }) => file))
  const directories = new Set([...named].map(file => posix.dirname(file)))
  // What declares it, and where such a manifest has its version from. Others that name the package ask for another version of it.
  const near = manifests.filter(
    file =>
      named.has(file) || (INHERITED.test(file) && [...directories].some(one => isAbove(posix.dirname(file), one))),
  )
  // What is beside a lock file that names it: a pin holds there.
  const beside = manifests.filter(file => directories.has(posix.dirname(file)))
  let reason =
    editors.length === 0
      ? `svc cannot change manifests of ${wanted.ecosystem}`
      : 'no manifest of the repository declares it'
  const planned: PlannedFix[] = []
  const attempt = (file: string, editor: ManifestEditor, kind: FixChange['kind'], result: EditResult, text: string) => {
    if (!result) return
    if ('refusal' in result) {
      reason = `${file}: ${redactCredentials(result.refusal)}`
      return
    }
    const order = compareRequirement(wanted.ecosystem, result.from, wanted.to)
    if (result.from === result.to || (order !== undefined && order > 0)) {
      reason = `${file} allows ${wanted.to} already: \`${editor.lockCommand(namesBeside(file, manifests), wanted)}\` renews the lock file`
      return
    }
    planned.push({ edit: result, change: describe(file, editor, kind, result, wanted, text, manifests) })
  }
  for (const editor of editors)
    for (const file of near.filter(one => editor.files.test(one))) {
      const text = texts.read(file)
      if (text !== undefined) attempt(file, editor, 'direct', editor.edit(text, wanted), text)
    }
  if (planned.length > 0) return { planned, reason }
  if (direct) return { planned, reason }
  for (const editor of editors) {
    const files = beside.filter(one => editor.files.test(one))
    // The outermost manifest decides: overrides of a workspace's member have no effect.
    const file = files.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))[0]
    const text = file === undefined ? undefined : texts.read(file)
    if (text === undefined) continue
    if (!editor.pin) {
      reason = `it is transitive: \`${editor.lockCommand(namesBeside(file!, manifests), wanted)}\` may renew it in the lock file`
      continue
    }
    attempt(file!, editor, 'override', editor.pin(text, wanted, namesBeside(file!, manifests)), text)
    if (planned.length > 0) break
  }
  return { planned, reason }
}

/** Manifests that versions of others are taken from: parents, central versions, catalogs, workspaces. */
const INHERITED = /(^|\/)(pom\.xml|Directory\.(Packages|Build)\.props|[^/]*\.versions\.toml|Cargo\.toml)$/i

function isAbove(directory: string, below: string): boolean {
  // A catalog of Gradle is in a directory of its own.
  const holder = posix.basename(directory) === 'gradle' ? posix.dirname(directory) : directory
  return holder === '.' || below === holder || below.startsWith(`${holder}/`)
}

/** The versions of each package that are in use. */
class Versions {
  readonly #versions = new Map<string, string[]>()

  constructor({ components }: Pick<Inventory, 'components'>) {
    for (const { ecosystem, name, version } of components) {
      if (version === undefined) continue
      const known = this.#versions.get(`${ecosystem}\0${name}`)
      if (known) known.push(version)
      else this.#versions.set(`${ecosystem}\0${name}`, [version])
    }
  }

  listOthers(ecosystem: string, name: string, version: string): string[] {
    return (this.#versions.get(`${ecosystem}\0${name}`) ?? []).filter(one => one !== version)
  }
}

function describe(
  file: string,
  editor: ManifestEditor,
  kind: FixChange['kind'],
  { from, to, start }: ManifestEdit,
  wanted: Wanted,
  text: string,
  manifests: readonly string[],
): FixChange {
  const major = (version: string) => /[0-9]+/.exec(version)?.[0]
  return {
    file,
    line: text.slice(0, start).split('\n').length,
    ecosystem: wanted.ecosystem,
    package: wanted.name,
    from: from || wanted.version,
    to,
    kind,
    removes: [],
    breaking: major(wanted.version) !== major(wanted.to),
    lock_command: editor.lockCommand(namesBeside(file, manifests), wanted),
  }
}

/** Names of manifests and lock files in the directory of a file, and in those above it. */
function namesBeside(file: string, manifests: readonly string[]): Set<string> {
  const own = dirname(file)
  return new Set(
    manifests
      .filter(one => dirname(one) === '.' || own === dirname(one) || own.startsWith(`${dirname(one)}/`))
      .map(one => posix.basename(one)),
  )
}

/** A planned fix with what it is known to remove. */
interface Candidate extends PlannedFix {
  version: string
  /** Ids of its vulnerabilities that are gone in a version. */
  listRemoved(version: string): string[]
}

/** Two versions of one package lead to the same line: the higher fix holds, and removes of the other's what is gone in it too. */
function mergeSame(fixes: readonly Candidate[]): PlannedFix[] {
  const groups = new Map<string, Candidate[]>()
  for (const fix of fixes) {
    const key = `${fix.change.file}\0${fix.edit.start}\0${fix.change.package}`
    groups.set(key, [...(groups.get(key) ?? []), fix])
  }
  return [...groups.values()].map(group => {
    const winner = group.reduce((best, one) =>
      (compareRequirement(one.change.ecosystem, best.version, one.version) ?? 0) < 0 ? one : best,
    )
    const removes = [...new Set(group.flatMap(one => one.listRemoved(winner.version)))].sort()
    return { change: { ...winner.change, removes }, edit: winner.edit }
  })
}

/** Manifests that are read once. */
class Texts {
  readonly #root: string
  readonly #read = new Map<string, string | undefined>()

  constructor(root: string) {
    this.#root = root
  }

  read(file: string): string | undefined {
    if (!this.#read.has(file)) this.#read.set(file, readProjectText(this.#root, file))
    return this.#read.get(file)
  }
}
