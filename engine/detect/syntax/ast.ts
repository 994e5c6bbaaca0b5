import type { SgNode } from '@ast-grep/napi'
import type { AstRule } from '../../base/records/rule.ts'
import type { RawMatch } from '../rules/match.ts'
import { type Separated, separateFileConditions } from './file-conditions.ts'
import { outline, readsOutside, relaxRule, renameCaptures, searchesFar } from './relaxed.ts'

/** Texts up to this length are searched in one go: even a rule that looks far around each node is done with them soon. */
const SHORT = 24 << 10
/**
 * Characters that the candidates of a rule hold in all, and candidates times length of the text where the rule reads what stands
 * outside of them. A search of so many takes some seconds and cannot be interrupted: one of more is not begun.
 */
const MOST_HELD = 400_000_000
const MOST_READ = 200_000_000
/** From so many on it pays to see first which candidates hold what the rule asks for below them. */
const FEW_READ = 8_000_000

/** What a search gave; nothing where it was not begun, and `stopped` is why. */
export interface Searched {
  matches: RawMatch[]
  stopped?: 'too_costly'
  detail?: string
}

/**
 * Every node that an ast-grep rule matches; a span that several nodes share counts once. Throws where the grammar refuses
 * the rule.
 *
 * A rule that looks far around a node costs nodes times candidates, and a search cannot be interrupted. In a long text its
 * candidates are therefore found first, by what the rule says of the node and its neighbors, and counted; and the rule is
 * asked at these alone. Whether it is asked at all is decided by counts, so that the same text gives the same on every machine.
 * What it asks of the file as a whole is looked for once.
 */
export function runAst(index: number, rule: AstRule, root: SgNode, text: string): Searched {
  if (isOutOfSight(rule, root)) return { matches: [] }
  if (text.length <= SHORT) return { matches: matchesOf(index, rule, root.findAll(configOf(rule)) as SgNode[], text) }
  const separated = separatedFor(rule, String(root.kind()))
  const config = configOf(separated.rule)
  const stages = stagesOf(separated.rule)
  const candidates = root.findAll(stages ? ({ rule: stages.near } as never) : config) as SgNode[]
  if (candidates.length === 0 || !isRight(separated, root)) return { matches: [] }
  if (stages === null) return { matches: matchesOf(index, rule, candidates, text) }
  const { near, below, reads } = stages
  const held = candidates.reduce((sum, node) => sum + lengthOf(node), 0)
  if (held > MOST_HELD) {
    const detail = `${candidates.length} candidate sites of ${held} characters; no more than ${MOST_HELD} are searched`
    return { matches: [], stopped: 'too_costly', detail }
  }
  const steps = [near]
  if (reads !== undefined && candidates.length * text.length > FEW_READ) {
    if (below) steps.push(below)
    const { rule: own, utils } = separated.rule
    const asked =
      reads === 'constraints'
        ? { rule: { all: [...steps, own] }, constraints: stages.constraints, utils }
        : { rule: { all: steps } }
    const left = root.findAll(asked as never).length
    if (left === 0) return { matches: [] }
    const most = Math.floor(MOST_READ / text.length)
    if (left > most) {
      const detail = `more than ${most} candidate sites in a text of ${text.length} characters`
      return { matches: [], stopped: 'too_costly', detail }
    }
  }
  const found = root.findAll(configOf(separated.rule, steps)) as SgNode[]
  return { matches: matchesOf(index, rule, found, text) }
}

/** What ast-grep is asked: the rule, where the steps hold. */
function configOf(
  { rule, constraints, utils, transform }: AstRule,
  steps: readonly Record<string, unknown>[] = [],
): never {
  return { rule: steps.length === 0 ? rule : { all: [...steps, rule] }, constraints, utils, transform } as never
}

/** Whether the file is as the rule asks. */
function isRight({ conditions, rule: { utils } }: Separated, root: SgNode): boolean {
  const below = { inside: { kind: root.kind(), stopBy: 'end' } }
  return conditions.every(
    ({ has, holds }) => (root.find({ rule: { all: [has, below] }, utils } as never) !== null) === holds,
  )
}

const separations = new WeakMap<AstRule, Map<string, Separated>>()

function separatedFor(rule: AstRule, root: string): Separated {
  const known = separations.get(rule) ?? new Map<string, Separated>()
  separations.set(rule, known)
  let own = known.get(root)
  if (own === undefined) {
    own = separateFileConditions(rule, root)
    known.set(root, own)
  }
  return own
}

function lengthOf(node: SgNode): number {
  const { start, end } = node.range()
  return end.index - start.index
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

/** What is asked of a node before the whole rule is: each step holds wherever the rule matches, and the first is cheap. */
interface Stages {
  near: Record<string, unknown>
  /** Left out where it would say no more, or is too long. */
  below: Record<string, unknown> | undefined
  /** Of what the rule asks of its captures, what reads nothing outside of them. */
  constraints: Record<string, unknown>
  /** What reads all that stands outside of a candidate, if anything does: the rule, or only what it asks of its captures. */
  reads: 'rule' | 'constraints' | undefined
}

/** Longer ones take more time to compile than they save. */
const LONGEST_STAGE = 20_000

const known = new WeakMap<AstRule, Stages | null>()

/** Null where the rule looks no further than neighbors, or says nothing of the node itself. */
function stagesOf(rule: AstRule): Stages | null {
  let own = known.get(rule)
  if (own === undefined) {
    own = makeStages(rule)
    known.set(rule, own)
  }
  return own
}

function makeStages({ rule, constraints, utils }: AstRule): Stages | null {
  const whole = [rule, constraints, utils]
  const near = searchesFar(whole) ? relaxRule(rule, utils) : undefined
  if (near === undefined) return null
  const below = relaxRule(rule, utils, { reach: 'below' })
  const written = JSON.stringify(below)
  const isMore = written !== JSON.stringify(near) && written.length <= LONGEST_STAGE
  const all = Object.entries(constraints ?? {})
  const cheap = Object.fromEntries(all.filter(([, constraint]) => !readsOutside(constraint, utils)))
  const reads = readsOutside(rule, utils) ? 'rule' : Object.keys(cheap).length < all.length ? 'constraints' : undefined
  return {
    near: renameCaptures(near, 'N'),
    below: below && isMore ? renameCaptures(below, 'B') : undefined,
    constraints: cheap,
    reads,
  }
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
