import { resolveRuleId } from '../base/records/rule-ids.ts'
import type { DroppedAcrossFiles, DroppedPlace, ExcludedByRule, SilentInTests } from '../base/records/run.ts'

/** Places of one rule's findings that a run lists; all are counted. */
const MOST_PLACES = 100

interface Placed<Place> {
  rule_id: string
  findings: number
  files: Set<string>
  places: Place[]
}

/** Counts what rules found and do not report, by rule, each for its reason. The order in which it is added does not show. */
export class SetAside {
  readonly #applies: (rule: string, path: string) => boolean
  readonly #silent = new Map<string, SilentInTests>()
  readonly #excluded = new Map<string, Placed<ExcludedByRule['places'][number]>>()
  readonly #dropped = new Map<string, Placed<DroppedPlace>>()

  /** `applies` says whether a rule is on for a path. */
  constructor(applies: (rule: string, path: string) => boolean) {
    this.#applies = applies
  }

  /** Counts what a rule that is silent in tests found in one. */
  addSilent(rule: string, count: number, path: string): void {
    if (!this.#applies(rule, path)) return
    const rule_id = resolveRuleId(rule)
    const known = this.#silent.get(rule_id) ?? { rule_id, findings: 0, files: 0 }
    this.#silent.set(rule_id, { rule_id, findings: known.findings + count, files: known.files + 1 })
  }

  /** Counts what a rule found in a file that it excludes, or in code that a file of rules quotes. */
  addExcluded(rule: string, file: string, lines: readonly number[]): void {
    if (!this.#applies(rule, file)) return
    for (const line of lines) add(this.#excluded, resolveRuleId(rule), { file, line })
  }

  /** Counts a finding that functions of other files disprove. */
  addDropped(rule_id: string, place: DroppedPlace): void {
    add(this.#dropped, rule_id, place)
  }

  /** What rules that are silent in tests found there, by rule. */
  listSilent(): SilentInTests[] {
    return [...this.#silent.values()].sort((a, b) => (a.rule_id < b.rule_id ? -1 : 1))
  }

  /** What rules found in files that their own `exclude_files` name, and in code that files of rules quote, by rule, with the first places of each. */
  listExcluded(): ExcludedByRule[] {
    return list(this.#excluded)
  }

  /** What was found in files by themselves and functions of other files disprove, by rule, with the first places of each. */
  listDropped(): DroppedAcrossFiles[] {
    return list(this.#dropped)
  }
}

function add<Place extends { file: string }>(to: Map<string, Placed<Place>>, rule_id: string, place: Place): void {
  const known = to.get(rule_id) ?? { rule_id, findings: 0, files: new Set(), places: [] }
  known.findings++
  known.files.add(place.file)
  known.places.push(place)
  to.set(rule_id, known)
}

function list<Place extends { file: string; line: number }>(
  from: ReadonlyMap<string, Placed<Place>>,
): { rule_id: string; findings: number; files: number; places: Place[] }[] {
  const byPlace = (a: Place, b: Place) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)
  return [...from.values()]
    .sort((a, b) => (a.rule_id < b.rule_id ? -1 : 1))
    .map(({ rule_id, findings, files, places }) => ({
      rule_id,
      findings,
      files: files.size,
      places: places.toSorted(byPlace).slice(0, MOST_PLACES),
    }))
}
