import type { SgNode } from '@ast-grep/napi'
import type { RawMatch } from '../match.ts'
import type { AstRule } from '../rule.ts'

/** Every node that an ast-grep rule matches; a span that several nodes share counts once. Throws where the grammar refuses the rule. */
export function runAst(index: number, rule: AstRule, root: SgNode, text: string): RawMatch[] {
  const config = { rule: rule.rule, constraints: rule.constraints, utils: rule.utils, transform: rule.transform }
  const out: RawMatch[] = []
  const seen = new Set<string>()
  for (const node of root.findAll(config as never) as SgNode[]) {
    const { start, end } = node.range()
    const span = `${start.index}:${end.index}`
    if (seen.has(span)) continue
    seen.add(span)
    const match: RawMatch = { rule: index, start: start.index, end: end.index }
    if (rule.fix !== undefined) {
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
