import type { SgNode } from '@ast-grep/napi'
import { CONFIDENCE } from '../../base/records/finding.ts'
import { computeFingerprint, foldSpace } from '../../base/records/fingerprint.ts'
import { listFormer } from '../../base/records/rule-ids.ts'
import { Positions } from '../../base/text/positions.ts'
import { makeContextReader } from '../lexer/lexer.ts'
import { findEveryOccurrence, maskSpans } from '../lexer/mask.ts'
import type { CompiledRule } from '../rules/active-rules.ts'
import type { FileInput, FileOutcome, Limits } from '../rules/file-outcome.ts'
import type { Match, MatchAlias, RawMatch, SearchedView } from '../rules/match.ts'
import { COMMON_KEY, identifySecret } from '../secrets/identity.ts'
import { mergeOverlapping } from '../secrets/overlap.ts'
import { rankSpecificity } from '../secrets/specificity.ts'
import { parseSyntax } from '../syntax/parsed.ts'
import { makeTreeContext } from '../syntax/tree-context.ts'
import { citesStandard } from './citations.ts'
import { findQuotedStretches } from './definition.ts'
import { makeDisabledTest } from './disabled-code.ts'
import type { RuleSet } from './rule-set.ts'
import { isTestCode } from './test-code.ts'

/** Formats whose whole content stands in "strings": there a quoted value is the text itself, not a literal within code. */
const DATA_LANGUAGES = new Set([
  'json',
  'yaml',
  'toml',
  'xml',
  'html',
  'ini',
  'properties',
  'dotenv',
  'css',
  'markdown',
  'text',
])

/** What the rules found in a file; `root` where it was parsed. */
export interface Found {
  raw: readonly RawMatch[]
  text: string
  /** The text that rules about code were run on, as long as the other. */
  code?: string
  root?: SgNode
}

/**
 * What was found as it leaves the worker: once each, in the order of places, with what identifies it in later scans; and what rules that
 * are silent there keep to themselves, and what rules found in files that they exclude.
 */
export function locateMatches(
  rules: RuleSet,
  file: FileInput,
  limits: Limits,
  found: Found,
): Pick<FileOutcome, 'matches' | 'silenced' | 'excluded'> {
  const { text, code = text, root } = found
  const all = found.raw.filter(({ rule }) => !rules.rules[rule]!.muted)
  const quoted = findQuotedStretches(file.language, text)
  const meant = ({ start, end, wholeFile }: RawMatch) =>
    !wholeFile && quoted.some(stretch => stretch.start <= start && end <= stretch.end)
  const kept = quoted.length > 0 ? all.filter(raw => !meant(raw)) : all
  const isSecret = ({ rule }: RawMatch) => rules.rules[rule]!.category === 'secret'
  const isExcluded = ({ rule }: RawMatch) => rules.excludes(rule, file.path)
  const candidates = kept.filter(isSecret)
  // A detector that excludes the file takes no secret from one that does not.
  const rank = (raw: RawMatch) => rankSpecificity(rules.rules[raw.rule]!, raw)
  const merged = mergeOverlapping(
    candidates.filter(raw => !isExcluded(raw)),
    rank,
  )
  const aliases = new Map(merged.map(({ span, aliases }) => [span, aliases]))
  const secrets = merged.map(({ span }) => span)
  const isCovered = ({ start, end }: RawMatch) => secrets.some(other => other.start < end && start < other.end)
  const others = mergeOverlapping(
    candidates.filter(raw => isExcluded(raw) && !isCovered(raw)),
    rank,
  ).map(({ span }) => span)
  const raws = [...kept.filter(raw => !isSecret(raw)), ...secrets, ...others]
  // An alias may span more than the match that names the finding; no snippet shows that either.
  const values = [...secrets, ...merged.flatMap(({ aliases }) => aliases), ...others]
  // The places are the same in both; only what is shown of the text differs.
  const positions = new Positions(values.length > 0 ? maskSpans(text, findEveryOccurrence(values, text)) : text)
  const contextOf = contextFinder(file.language, code, root)
  const ownRoot = lazyRoot(file.language, code, root, limits)
  const roots = new Map<SearchedView, () => SgNode | undefined>()
  const rootOf = (searched: SearchedView) => {
    const made = roots.get(searched) ?? lazyRoot(searched.view.language, searched.view.text, searched.root, limits)
    roots.set(searched, made)
    return made()
  }
  const views = new Map<SearchedView, ViewPlaces>()
  const viewOf = ({ in: searched }: NonNullable<RawMatch['seen']>) => {
    let places = views.get(searched)
    if (!places) {
      places = viewPlaces(file, searched, values, text)
      views.set(searched, places)
    }
    return places
  }
  raws.sort((a, b) => a.start - b.start || a.rule - b.rule || a.end - b.end)
  const equals = new Map<string, number>()
  const spans = new Set<string>()
  const out: Match[] = []
  const silenced = new Map<number, number>()
  const excluded = new Map<number, number[]>()
  const setAside = (raw: RawMatch) => {
    const { line } = positions.at(raw.start)
    const lines = excluded.get(raw.rule)
    if (lines) lines.push(line)
    else excluded.set(raw.rule, [line])
  }
  // What a file that defines a rule quotes is set aside, and counted like what a rule excludes.
  const quotes = quoted.length > 0 ? all.filter(meant) : []
  for (const raw of new Map(quotes.map(each => [spanOf(each), each])).values()) setAside(raw)
  let known: boolean | undefined
  const isOfTest = () => {
    known ??= isTestCode(file, code)
    return known
  }
  const isDisabled = makeDisabledTest(file.language, code)
  const isCited = ({ seen, start }: RawMatch) => {
    const tree = seen ? rootOf(seen.in) : ownRoot()
    return tree !== undefined && citesStandard(tree, seen?.start ?? start)
  }
  for (const raw of raws) {
    const rule = rules.rules[raw.rule]!
    const span = spanOf(raw)
    if (spans.has(span)) continue
    spans.add(span)
    const { seen } = raw
    const view = seen && viewOf(seen)
    const detector = rules.detectors[rules.findDetector(raw.rule)]!
    if (rule.silent_in === 'tests' && (view ? view.isOfTest() : isOfTest())) {
      silenced.set(raw.rule, (silenced.get(raw.rule) ?? 0) + 1)
      continue
    }
    if (detector.identity === 'value') {
      if (isExcluded(raw)) {
        setAside(raw)
        continue
      }
      const identify = (each: RawMatch) =>
        identifySecret(limits.secret_key ?? COMMON_KEY, each.value ?? written(each, text))
      const also = listAliases(rules, raw, aliases.get(raw) ?? [], identify)
      const match = toMatch(raw, positions, weighSecret(rule, raw, also), identify(raw), view)
      if (also.length > 0) match.also = also
      out.push(match)
      continue
    }
    if (!seen && !raw.wholeFile && isDisabled(raw.start)) {
      setAside(raw)
      continue
    }
    const getContext = () => (seen && view ? view.contextOf(seen.start) : contextOf(raw.start))
    const weight = detector.weigh
      ? detector.weigh(rule, raw, {
          inTest: file.in_test,
          ...(seen
            ? { language: seen.in.view.language, start: seen.start, end: seen.end, getRoot: () => rootOf(seen.in) }
            : { language: file.language, start: raw.start, end: raw.end, getRoot: () => ownRoot() }),
          getContext,
        })
      : (raw.confidence ?? 1)
    if (weight === undefined) continue
    if (isExcluded(raw) || raw.isAside || (rule.unless_cited && isCited(raw))) {
      setAside(raw)
      continue
    }
    // Who works on the repository can do less about what others or a program wrote.
    const confidence = file.class ? Math.min(weight, CONFIDENCE.test) : weight
    const folded = raw.wholeFile ? '' : foldSpace(written(raw, text))
    const key = `${raw.rule}:${folded}`
    const index = equals.get(key) ?? 0
    equals.set(key, index + 1)
    const identify = (id: string) => computeFingerprint(id, file.path, folded, index)
    const match = toMatch(raw, positions, confidence, identify(rule.id), view)
    // What was known under the id of a rule that was merged into this one still is.
    const former = listFormer(rule.id)
    if (former.length > 0) match.also = former.map(rule_id => ({ rule_id, confidence, fingerprint: identify(rule_id) }))
    out.push(match)
  }
  return {
    matches: out,
    ...(silenced.size > 0 && { silenced: [...silenced].map(([rule, count]) => ({ rule, count })) }),
    ...(excluded.size > 0 && { excluded: [...excluded].map(([rule, lines]) => ({ rule, lines })) }),
  }
}

/** What stands at the match, in the form in which it was found. */
function written({ start, end, seen }: RawMatch, text: string): string {
  return seen ? seen.in.view.text.slice(seen.start, seen.end) : text.slice(start, end)
}

/** What is to be known of a view to report what is found in it. */
interface ViewPlaces {
  contextOf: (offset: number) => 'code' | 'comment' | 'string'
  isOfTest: () => boolean
  /** Its lines with secrets masked; undefined where those of the file are shown. */
  lines?: Positions
}

function viewPlaces(
  file: FileInput,
  { view, root }: SearchedView,
  secrets: readonly RawMatch[],
  text: string,
): ViewPlaces {
  const { language } = view
  let isOfTest: boolean | undefined
  const places: ViewPlaces = {
    contextOf: contextFinder(language, view.text, root),
    isOfTest: () => {
      isOfTest ??= isTestCode({ ...file, language }, view.text)
      return isOfTest
    },
  }
  if (view.showsOwnLines) {
    const own = secrets.flatMap(({ seen, value }) =>
      seen?.in.view === view ? [{ start: seen.start, end: seen.end, ...(value !== undefined && { value }) }] : [],
    )
    // What was found in the file's own text stands here too, wherever its value does.
    const others = secrets.flatMap(raw =>
      raw.seen?.in.view === view ? [] : [{ start: 0, end: 0, value: raw.value ?? written(raw, text) }],
    )
    places.lines = new Positions(maskSpans(view.text, findEveryOccurrence([...own, ...others], view.text)))
  }
  return places
}

/** The confidence of the surest detector; where a checksum decides, that of the match's own, since the others do not know it. */
function weighSecret(rule: CompiledRule, { confidence = 1 }: RawMatch, also: readonly MatchAlias[]): number {
  const decides = rule.type === 'secret' && rule.detector.checksum !== undefined
  return decides ? confidence : Math.max(confidence, ...also.map(alias => alias.confidence))
}

/** The detectors beside the match's own that report its secret, each once. */
function listAliases(
  rules: RuleSet,
  raw: RawMatch,
  others: readonly RawMatch[],
  identify: (raw: RawMatch) => string,
): MatchAlias[] {
  const also = new Map<number, MatchAlias>()
  for (const other of others) {
    const rule = rules.rules[other.rule]!
    if (other.rule === raw.rule || also.has(other.rule) || rule.type !== 'secret') continue
    also.set(other.rule, { rule_id: rule.id, confidence: other.confidence ?? 1, fingerprint: identify(other) })
  }
  return [...also.values()]
}

/** The tree of a text for rules that did not ask for one: parsed once, when the first match needs it. */
function lazyRoot(language: string, text: string, root: SgNode | undefined, limits: Limits): () => SgNode | undefined {
  let made: SgNode | null | undefined = root
  return () => {
    if (made === undefined) {
      const parsed = text.length <= limits.max_parse_bytes ? parseSyntax(language, text) : undefined
      made = parsed && 'root' in parsed ? parsed.root : null
    }
    return made ?? undefined
  }
}

/** From the tree where there is one, else from the lexer (decisions "Rules and packs"). */
function contextFinder(
  language: string,
  text: string,
  root: SgNode | undefined,
): (offset: number) => 'code' | 'comment' | 'string' {
  let finder: ((offset: number) => 'code' | 'comment' | 'string') | undefined
  const isData = DATA_LANGUAGES.has(language)
  return offset => {
    finder ??= root ? makeTreeContext(root) : makeContextReader(language, text)
    const context = finder(offset)
    return context === 'string' && isData ? 'code' : context
  }
}

/** The match as it leaves the worker. */
function toMatch(
  raw: RawMatch,
  positions: Positions,
  confidence: number,
  identity: string,
  view: ViewPlaces | undefined,
): Match {
  const start = positions.at(raw.start)
  const end = positions.at(raw.end)
  const match: Match = {
    rule: raw.rule,
    line: start.line,
    column: start.column,
    end_line: end.line,
    end_column: end.column,
    confidence,
    fingerprint: identity,
    snippet: raw.wholeFile ? '' : snippetOf(raw, positions, start.line, end.line, view),
  }
  // As in snippets: NUL parts what crosses threads.
  if (raw.note !== undefined) match.note = raw.note.replaceAll('\0', '\uFFFD')
  if (raw.flow) {
    match.flow = raw.flow.map(step => {
      const from = positions.at(step.start)
      const to = positions.at(step.end)
      return { line: from.line, column: from.column, end_line: to.line, end_column: to.column, label: step.label }
    })
  }
  if (raw.edits) {
    match.edits = raw.edits.map(edit => {
      const from = positions.at(edit.start)
      const to = positions.at(edit.end)
      return {
        start_line: from.line,
        start_column: from.column,
        end_line: to.line,
        end_column: to.column,
        text: edit.text,
      }
    })
  }
  return match
}

function snippetOf(
  { seen }: RawMatch,
  positions: Positions,
  first: number,
  last: number,
  view: ViewPlaces | undefined,
): string {
  if (!seen || !view?.lines) return positions.snippet(first, last)
  return view.lines.snippet(view.lines.at(seen.start).line, view.lines.at(seen.end).line)
}

const spanOf = ({ rule, start, end }: RawMatch) => `${rule}:${start}:${end}`
