import { dirname, posix } from 'node:path'
import { EngineError } from '../../base/errors.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import { openText } from '../../fixes/encoded-text.ts'
import { ProjectFile } from '../../fixes/project-file.ts'
import type { Affected } from '../advisories/advisory.ts'
import type { Assessment } from '../advisories/assess.ts'
import { judgeVersion } from '../advisories/ranges.ts'
import type { Vulnerability } from '../advisories/vulnerability.ts'
import type { Inventory } from '../inventory/component.ts'
import { findOrder } from '../versions/orders.ts'
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
  const fixes: PlannedFix[] = []
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
    const wanted: Wanted = { ecosystem: first.ecosystem, name: first.package, version: first.version, to }
    const { planned, reason } = planPackage(first, wanted, texts, inventory)
    if (planned.length === 0) refuse(reason)
    const removes = removed.map(({ id }) => id)
    fixes.push(...planned.map(({ change, edit }) => ({ change: { ...change, removes }, edit })))
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
  const directories = new Set(locations.map(({ file }) => posix.dirname(file)))
  // A lock file at the root of a workspace has the packages of members below.
  const near = manifests.filter(file =>
    [...directories].some(one => one === '.' || posix.dirname(file) === one || file.startsWith(`${one}/`)),
  )
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
    if (isLower(wanted, result.from)) return
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
    const files = near.filter(one => editor.files.test(one))
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

/** Whether what the file asks for is newer than the fix already, so that only the lock file is behind. */
function isLower({ ecosystem, to }: Wanted, from: string): boolean {
  const order = findOrder(ecosystem)
  const now = order?.parse(from.replace(/^[^0-9v]*/, ''))
  const then = order?.parse(to)
  return now !== undefined && then !== undefined && order!.compare(now, then) > 0
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

/** Two versions of one package lead to the same line: the higher fix is the one that holds for both. */
function mergeSame(fixes: readonly PlannedFix[]): PlannedFix[] {
  const kept = new Map<string, PlannedFix>()
  for (const fix of fixes) {
    const key = `${fix.change.file}\0${fix.edit.start}\0${fix.change.package}`
    const there = kept.get(key)
    const isHigher =
      !there ||
      isLower({ ecosystem: fix.change.ecosystem, to: there.edit.to.replace(/^[^0-9v]*/, '') } as Wanted, fix.edit.to)
    const removes = [...new Set([...(there?.change.removes ?? []), ...fix.change.removes])].sort()
    const winner = isHigher ? fix : there!
    kept.set(key, { ...winner, change: { ...winner.change, removes } })
  }
  return [...kept.values()]
}

/** Manifests that are read once. */
class Texts {
  readonly #root: string
  readonly #read = new Map<string, string | undefined>()

  constructor(root: string) {
    this.#root = root
  }

  read(file: string): string | undefined {
    if (!this.#read.has(file)) this.#read.set(file, readManifest(this.#root, file))
    return this.#read.get(file)
  }
}

function readManifest(root: string, path: string): string | undefined {
  try {
    const file = new ProjectFile(root, path, { links: false })
    try {
      return openText(file.bytes)?.text
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'INTERNAL') return undefined
    throw error
  }
}
