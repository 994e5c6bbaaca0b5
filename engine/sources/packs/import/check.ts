import { EngineError, type Fault } from '../../../base/errors.ts'
import { resolveRuleId } from '../../../base/records/rule-ids.ts'
import { findRuleKind } from '../../../detect/file/requirement.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import { checkBacktracking } from '../backtracking.ts'
import { findBrokenExamples } from '../examples.ts'
import { formatFault } from '../folder.ts'
import { boundTaintRule } from '../libraries/bounded-rule.ts'
import { proveOwnLibraries } from '../libraries/own.ts'
import { checkLibrary, type LibraryFile } from '../libraries/read.ts'
import { loadBuiltinPacks } from '../load.ts'
import type { Pack } from '../pack.ts'
import type { WrittenRule } from '../pack-file.ts'
import { readPack, readRule } from '../parse.ts'
import { findRuleNamed } from '../taken-sinks.ts'
import type { Draft, DraftRule } from './draft.ts'
import { keepProven } from './proven-parts.ts'

/** The longest regular expression that is imported (spec "Limits"). */
const MAX_REGEX = 2000

/** A pack that may be installed, and its rules as they were written. */
export interface Checked {
  pack: Pack
  written: WrittenRule[]
  libraries: (LibraryFile & { name: string; data: Record<string, unknown> })[]
}

/**
 * The pack that a draft stands for. PACK_INVALID names every fault with its place: what the schema does not allow, an
 * expression that is too long or can backtrack without bound, an id that another pack has, an example that does not hold.
 * A rule of a foreign format whose made-up examples do not hold is left out instead, since nobody wrote them.
 */
export async function checkPack(draft: Draft, others: readonly Pack[]): Promise<Checked> {
  const faults: Fault[] = []
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
      faults.push(...(error.faults.length > 0 ? error.faults : [{ message: error.message }]))
      return undefined
    }
  }
  const head = attempt(() => readPack(draft.head, draft.file, draft.place))
  const packId = head?.id ?? 'imported'
  if (others.some(pack => pack.id === packId)) {
    faults.push({
      message: `a pack ${packId} exists already; pass another id`,
      place: draft.place(['id'], 'value'),
    })
  }
  const homes = new Map(
    others.flatMap(pack =>
      pack.rules.flatMap(({ id }) => [id, resolveRuleId(id)].map(taken => [taken, pack.id] as const)),
    ),
  )
  const named = findRuleNamed(draft.rules)
  const rules: CompiledRule[] = []
  for (const written of draft.rules) {
    const { data, faults: unbounded } = boundTaintRule(written.data, written.place)
    faults.push(...unbounded)
    const rule = attempt(() => readRule(data, written.file, packId, written.place, named))
    if (!rule) continue
    const home = homes.get(rule.id)
    if (home !== undefined) {
      const where = home === packId ? 'twice in the pack' : `in the pack ${home} already`
      faults.push({ message: `the rule ${rule.id} is ${where}`, place: written.place(['id'], 'value') })
    }
    homes.set(rule.id, packId)
    const wrong = [...(await faultsOfExpressions(rule, written))]
    if (wrong.length === 0) wrong.push(...faultsOfExamples(rule, written))
    if (wrong.length === 0) rules.push(rule)
    else if (draft.format === 'svc') faults.push(...wrong)
    else draft.left_out.push({ id: rule.id, reason: wrong[0]!.message, place: written.place([], 'value') })
  }
  if (head) faults.push(...faultsOfMappings(head, draft, homes))
  const libraries: Checked['libraries'] = []
  for (const draftLibrary of draft.libraries) {
    const { name, file, place } = draftLibrary
    const data = draftLibrary.parts ? keepProven(draftLibrary, draft.left_out) : draftLibrary.data
    const library = data && attempt(() => checkLibrary(data, file, place))
    if (library) libraries.push({ name, data, file, library })
  }
  // Without libraries that are there already: one that is replaced would show nothing beside itself.
  if (faults.length === 0) faults.push(...proveOwnLibraries(libraries, [...loadBuiltinPacks(), { ...head!, rules }]))
  if (faults.length > 0) throw refused(faults)
  if (libraries.length === 0 && rules.length === 0 && draft.format !== 'svc') {
    const what = draft.format === 'codeql' ? 'rows' : 'rules'
    throw new EngineError('PACK_INVALID', `None of the ${what} can be imported.`, {
      faults: draft.left_out.map(({ id, reason, place }) => ({ message: `${id}: ${reason}`, place })),
    })
  }
  // In the order in which their files are read.
  const pack = { ...head!, rules: rules.sort((a, b) => (`${a.id}.yaml` < `${b.id}.yaml` ? -1 : 1)) }
  const kept = new Set(rules.map(({ id }) => id))
  return { pack, written: draft.rules.map(({ data }) => data).filter(({ id }) => kept.has(id)), libraries }
}

/** PACK_INVALID for these faults; the first is the error's own message and place. */
function refused(faults: Fault[]): EngineError {
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new EngineError('PACK_INVALID', `${formatFault(faults[0]!)}${more}`, { place: faults[0]!.place, faults })
}

async function faultsOfExpressions(rule: CompiledRule, { data, place }: DraftRule): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { path, source } of regexesWithin(data)) {
    if (source.length > MAX_REGEX)
      faults.push({
        message: `${rule.id}: the expression has ${source.length} characters, but the limit is ${MAX_REGEX}`,
        place: place(path, 'value'),
      })
  }
  for (const { path, source, ignoreCase } of findRuleKind(rule).listExpressions(rule)) {
    if (source.length > MAX_REGEX) continue
    const { kind, attack } = await checkBacktracking(source, ignoreCase)
    if (kind === 'exponential')
      faults.push({
        message: `${rule.id}: the expression can backtrack without bound, for example on ${attack}`,
        place: place(path, 'value'),
      })
  }
  return faults
}

/** Every text under a key that holds an expression, however deep, as it was written. */
function regexesWithin(value: unknown, path: string[] = []): { path: string[]; source: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key]
    if (typeof inner === 'string') return ['regex', 'when', 'naming'].includes(key) ? [{ path: at, source: inner }] : []
    return regexesWithin(inner, at)
  })
}

function faultsOfExamples(rule: CompiledRule, { place }: DraftRule): Fault[] {
  return findBrokenExamples(rule).map(({ expected, code, detail }) => {
    const index = (rule[expected] ?? []).findIndex(example => example.code === code)
    return {
      message: `${rule.id}: a ${expected} example fails (${detail}): ${JSON.stringify(code)}`,
      place: place([expected, String(index)], 'value'),
    }
  })
}

/** Mappings to rules that neither the pack nor any other has. */
function faultsOfMappings(head: Pack, { place }: Draft, homes: ReadonlyMap<string, string>): Fault[] {
  return head.controls.flatMap((control, at) =>
    control.maps.flatMap((map, index) =>
      map.rules.flatMap((id, nth) =>
        homes.has(id)
          ? []
          : {
              message: `control ${control.id} maps the rule ${id}, which does not exist`,
              place: place(['controls', String(at), 'maps', String(index), 'rules', String(nth)], 'value'),
            },
      ),
    ),
  )
}
