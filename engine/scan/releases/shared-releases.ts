import type { SourceFile } from '../../base/records/source-file.ts'
import type { ReleaseFacts, SharedRelease } from '../../detect/rules/release-facts.ts'
import type { KeptFiles } from '../kept-files.ts'
import type { AskingFile } from './file-releases.ts'

/** A file of C or C++ with what others need to know of it, and it of them. */
interface SharedFile {
  file: SourceFile
  language: string
  facts: ReleaseFacts
}

/** What the files of C and C++ of a scan free, and ask of each other: of files that were looked at, and of those that were taken over as they were. */
export class SharedReleases {
  readonly #files: SharedFile[] = []
  #kept: KeptFiles | undefined

  add(shared: SharedFile): void {
    this.#files.push(shared)
  }

  /** Takes those of the kept files that have nothing else beside their numbers. */
  takeOver(kept: KeptFiles): void {
    this.#kept = kept
  }

  /** Whether a file asks for a function of another one, and a file has one to give. */
  get areAsked(): boolean {
    const { asked, releases } = this.#kept?.table.releases ?? { asked: { rows: [] }, releases: [] }
    const isKept = (row: number) => this.#kept!.isIn(row)
    return (
      (this.#files.some(({ facts }) => facts.asked.length > 0) || asked.rows.some(isKept)) &&
      (this.#files.some(({ facts }) => facts.releases.length > 0) || releases.some(([row]) => isKept(row)))
    )
  }

  /** What functions free whose name no other file defines; what tests define in the place of functions does not count. */
  listCertain(): { path: string; release: SharedRelease }[] {
    const own = this.#files.filter(({ file }) => !file.in_test)
    const released = own.flatMap(({ file, facts }) => facts.releases.map(release => ({ path: file.path, release })))
    const kept = this.#kept
    if (kept)
      for (const [row, release] of kept.table.releases.releases)
        if (this.#isOwn(row)) released.push({ path: kept.table.path(row), release })
    const times = new Map(released.map(({ release }) => [release.name, 0]))
    const count = (name: string) => {
      const known = times.get(name)
      if (known !== undefined) times.set(name, known + 1)
    }
    for (const { release } of released) count(release.name)
    for (const { facts } of own) facts.unknown.forEach(count)
    const unknown = kept?.table.releases.unknown
    unknown?.names.forEach((name, at) => {
      if (times.has(name) && this.#isOwn(unknown.rows[at]!)) count(name)
    })
    return released.filter(({ release }) => times.get(release.name) === 1)
  }

  /** The files that pass a block to known functions and use it afterwards, by path; `known` has the number of the parameter that each frees. */
  listAsking(known: ReadonlyMap<string, Pick<SharedRelease, 'parameter'>>): AskingFile[] {
    const pass = (name: string): AskingFile['elsewhere'] => {
      const release = known.get(name)
      return release ? [[name, release.parameter]] : []
    }
    const asking = this.#files.flatMap(({ file, language, facts }) => {
      const elsewhere = facts.asked.flatMap(pass)
      return elsewhere.length > 0 && !file.in_test && file.blob === undefined ? { file, language, elsewhere } : []
    })
    const byRow = new Map<number, AskingFile['elsewhere']>()
    const kept = this.#kept
    const asked = kept?.table.releases.asked
    asked?.names.forEach((name, at) => {
      const row = asked.rows[at]!
      if (known.has(name) && this.#isOwn(row)) byRow.set(row, [...(byRow.get(row) ?? []), ...pass(name)])
    })
    for (const [row, elsewhere] of byRow)
      asking.push({ file: kept!.source(row), language: kept!.table.language(row), elsewhere })
    return asking.sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
  }

  #isOwn(row: number): boolean {
    return this.#kept!.isIn(row) && this.#kept!.table.columns.inTest[row] === 0
  }
}
