import type { SgNode } from '@ast-grep/napi'
import type { RawMatch } from '../match.ts'
import { outline, relaxed, searchesFar } from '../relaxed.ts'
import type { AstRule } from '../rule.ts'

/** Texts up to this length are searched in one go: even a rule that looks far around each node is done with them soon. */
const SHORT = 24 << 10
/** Candidates times length of the text that are searched in one go; ten million take about two seconds. */
const BEARABLE = 8_000_000

/** Candidates of a longer search that are judged one by one; so many take about half a second where each looks at little. */
const MOST_JUDGED = 1500

/** What a search gave. Where it did not come to its end it gave nothing, and `stopped` is why: a part would not be the same twice. */
export interface Searched {
  matches: RawMatch[]
  stopped?: 'too_costly' | 'timed_out'
  detail?: string
}

/**
 * Every node that an ast-grep rule matches; a span that several nodes share counts once. Throws where the grammar refuses
 * the rule.
 *
 * A rule that looks far around a node costs nodes times candidates, and a search cannot be interrupted. In a long text its
 * candidates are therefore found first, by what the rule says of the node and its neighbours. Where they are many, each is
 * judged by itself, which compiles the rule each time; where they are too many, none is. That is decided by counts, so that
 * the same text gives the same on every machine; the clock (`deadlineMs`) is for the rule that looks through all of a huge text each time.
 */
export function runAst(index: number, rule: AstRule, root: SgNode, text: string, deadlineMs: number): Searched {
  if (isOutOfSight(rule, root)) return { matches: [] }
  const config = { rule: rule.rule, constraints: rule.constraints, utils: rule.utils, transform: rule.transform }
  const candidates = text.length > SHORT ? candidatesOf(rule, root) : undefined
  const all = () => root.findAll(config as never) as SgNode[]
  if (candidates === undefined) return { matches: matchesOf(index, rule, all(), text) }
  if (candidates.length === 0) return { matches: [] }
  if (candidates.length * text.length <= BEARABLE) return { matches: matchesOf(index, rule, all(), text) }
  if (candidates.length > MOST_JUDGED) {
    const detail = `${candidates.length} places to look around in ${text.length} characters`
    return { matches: [], stopped: 'too_costly', detail }
  }

  const until = performance.now() + deadlineMs
  const nodes: SgNode[] = []
  for (const node of candidates) {
    if (performance.now() > until) return { matches: [], stopped: 'timed_out' }
    if (!node.matches(config as never)) continue
    nodes.push(rule.fix === undefined ? node : ((node.find(config as never) ?? node) as SgNode))
  }
  return { matches: matchesOf(index, rule, nodes, text) }
}

const outlines = new WeakMap<AstRule, Record<string, unknown> | null>()

/** Whether the tree has nothing of the form that the rule asks for, so that its expressions need not be compiled for this file. */
function isOutOfSight(rule: AstRule, root: SgNode): boolean {
  let form = outlines.get(rule)
  if (form === undefined) {
    form = outline(rule) ?? null
    outlines.set(rule, form)
  }
  return form !== null && root.find({ rule: form } as never) === null
}

const known = new WeakMap<AstRule, Record<string, unknown> | null>()

/** Nodes that may match; undefined where the rule looks no further than neighbours, or says nothing of the node itself. */
function candidatesOf(rule: AstRule, root: SgNode): SgNode[] | undefined {
  let own = known.get(rule)
  if (own === undefined) {
    const far = searchesFar([rule.rule, rule.constraints, rule.utils])
    own = (far ? relaxed(rule.rule, rule.utils) : undefined) ?? null
    known.set(rule, own)
  }
  return own === null ? undefined : (root.findAll({ rule: own } as never) as SgNode[])
}

function matchesOf(index: number, rule: AstRule, nodes: readonly SgNode[], text: string): RawMatch[] {
  const out: RawMatch[] = []
  const seen = new Set<string>()
  for (const node of nodes) {
    const { start, end } = node.range()
    const span = `${start.index}:${end.index}`
    if (seen.has(span)) continue
    seen.add(span)
    const match: RawMatch = { rule: index, start: start.index, end: end.index }
    // A comment that the rule was not shown would be lost.
    if (rule.fix !== undefined && node.text() === text.slice(start.index, end.index)) {
      match.edits = [{ start: start.index, end: end.index, text: expand(rule.fix, node, text, rule.transform ?? {}) }]
    }
    out.push(match)
  }
  return out
}

/** ast-grep's fix template: `$A` one node's text, `$$$A` the text from its first to its last node, transforms by name. */
function expand(template: string, node: SgNode, text: string, transforms: Record<string, unknown>): string {
  return template.replace(
    /\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g,
    (whole, many: string | undefined, one: string | undefined) => {
      if (many !== undefined) {
        const nodes = node.getMultipleMatches(many)
        const first = nodes[0]
        return first ? text.slice(first.range().start.index, nodes.at(-1)!.range().end.index) : ''
      }
      if (one! in transforms) return node.getTransformed(one!) ?? ''
      return (node.getMatch(one!) as SgNode | null)?.text() ?? whole
    },
  )
}
