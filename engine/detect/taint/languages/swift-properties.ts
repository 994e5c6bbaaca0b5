import type { Syntax } from './syntax.ts'

/** One of the names that a declaration declares. */
interface Declared {
  /** Empty where a pattern takes the value apart. */
  name: string
  pattern: Syntax
  type?: Syntax
  value?: Syntax
  at: Syntax
}

/** The names, types and values of `let a = 1, b: String`; the grammar has them one after another. */
export function listDeclared(node: Syntax): Declared[] {
  const out: Declared[] = []
  let isValue = false
  for (const child of node.all) {
    const last = out.at(-1)
    if (child.kind === 'pattern' && !isValue) {
      const [only, ...more] = child.all
      const name = only?.kind === 'simple_identifier' && more.length === 0 ? readName(only) : ''
      out.push({ name, pattern: child, at: child })
    } else if (child.kind === 'type_annotation' && last) last.type = child
    else if (child.text === '=') isValue = true
    else if (isValue && last && (child.node.isNamed() || child.kind === 'nil')) {
      last.value = child
      isValue = false
    }
  }
  return out
}

/** What is carried out for a property: its getter, by itself or among others, its setter, and what watches it. */
export function findAccessors(node: Syntax): { name: string; body: Syntax | undefined; isGetter: boolean }[] {
  const computed = node.part('computed_property')
  const watched = node.part('willset_didset_block')
  if (!computed) return (watched?.parts ?? []).map(part => makeAccessor(part, false))
  const own = computed.part('statements')
  if (own) return [{ name: 'get', body: own, isGetter: true }]
  return computed.parts.map(part => makeAccessor(part, part.kind === 'computed_getter'))
}

function makeAccessor(node: Syntax, isGetter: boolean) {
  return { name: node.kind.replace(/^computed_|_clause$/g, ''), body: node.part('statements'), isGetter }
}

/** A name without the signs that let a word of the language be one. */
export function readName({ text }: Syntax): string {
  return text.replaceAll('`', '')
}
