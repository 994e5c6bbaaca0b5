import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** What metavariables stand for in an example that is made of a pattern. */
const NAME = 'value'

/** Code that a pattern should find: its metavariables filled with names. */
export function makeCode(pattern: string): string {
  return pattern
    .replace(/,?\s*\$\$\$[A-Z_0-9]*\s*/g, '')
    .replace(/\(\s*,\s*/g, '(')
    .replace(/\$([A-Z_][A-Z_0-9]*)/g, (_, name: string) =>
      name.startsWith('_') ? NAME : `${NAME}_${name.toLowerCase()}`,
    )
}

/** Codes that are nearly what the pattern finds: one of its own words is another one. */
export function nearMisses(code: string): string[] {
  const words = [...code.matchAll(/[A-Za-z_]\w{2,}/g)].filter(([word]) => !word.startsWith(NAME))
  return [...words.map(({ 0: word, index }) => `${code.slice(0, index)}other${code.slice(index + word.length)}`), NAME]
}

/** The first pattern that a rule object asks for, outside what it denies. */
export function findFirstPattern(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null) return undefined
  for (const [key, value] of Object.entries(rule)) {
    if (key === 'not' || key === 'constraints') continue
    if (key === 'pattern' && typeof value === 'string') return value
    const inner =
      ['all', 'any'].includes(key) && Array.isArray(value) ? value.map(findFirstPattern).find(Boolean) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** A text that the expression probably matches: first alternatives, fewest repetitions; assertions are not looked at. */
export function makeText(source: string): string | undefined {
  try {
    return textOf(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }))
  } catch {
    return undefined
  }
}

function textOf(node: AST.Node): string {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return textOf(node.alternatives[0]!)
    case 'Alternative':
      return node.elements.map(textOf).join('')
    case 'Quantifier':
      return textOf(node.element).repeat(Math.min(node.min, 64))
    case 'Character':
      return String.fromCodePoint(node.value)
    case 'CharacterClassRange':
      return textOf(node.min)
    case 'CharacterClass':
      return node.negate ? outside(node.raw) : node.elements[0] ? textOf(node.elements[0]) : ''
    case 'CharacterSet':
      return setMember(node)
    default:
      return ''
  }
}

function setMember(node: AST.CharacterSet): string {
  if (node.kind === 'space') return node.negate ? 'x' : ' '
  if (node.kind === 'digit') return node.negate ? 'x' : '7'
  return node.kind === 'word' && node.negate ? '-' : 'x'
}

/** A character that a negated class takes. */
function outside(raw: string): string {
  const expression = new RegExp(raw, 'u')
  return ['x', '7', ' ', '-', '.', '"'].find(char => expression.test(char)) ?? 'x'
}
