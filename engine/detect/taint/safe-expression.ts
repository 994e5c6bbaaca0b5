import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Characters that do no harm in any sink. */
const HARMLESS = /^[A-Za-z0-9_\-. @:,]$/

/**
 * Whether a regular expression that a whole text must match lets nothing but letters, digits and a few harmless signs through. `..`
 * is not kept out, so a path may still be left by it where the dot is allowed; such expressions do not count.
 */
export function harmlessOnly(source: string): boolean {
  let pattern: AST.Pattern
  try {
    const own = source
      .replace(/^\(\?[a-z]+\)/, '')
      .replace(/\\A/g, '^')
      .replace(/\\[Zz]/g, '$')
      .replace(/\(\?P</g, '(?<')
      .replace(/([*+?}])\+/g, '$1')
    pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(own, 0, own.length, {
      unicode: false,
      unicodeSets: false,
    })
  } catch {
    return false
  }
  return pattern.alternatives.every(({ elements }) => elements.every(isHarmless))
}

function isHarmless(element: AST.Element): boolean {
  switch (element.type) {
    case 'Character':
      return HARMLESS.test(String.fromCodePoint(element.value))
    case 'CharacterSet':
      return (element.kind === 'digit' || element.kind === 'word') && !element.negate
    case 'CharacterClass':
      return (
        !element.negate &&
        element.elements.every(part => {
          // Between letters of different case, and between digits and letters, there are signs.
          if (part.type === 'CharacterClassRange')
            return /^(?:[A-Z]{2}|[a-z]{2}|[0-9]{2})$/.test(String.fromCodePoint(part.min.value, part.max.value))
          if (part.type === 'CharacterSet') return (part.kind === 'digit' || part.kind === 'word') && !part.negate
          return part.type === 'Character' && HARMLESS.test(String.fromCodePoint(part.value))
        })
      )
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.every(({ elements }) => elements.every(isHarmless))
    case 'Quantifier':
      return isHarmless(element.element)
    case 'Assertion':
      return element.kind === 'start' || element.kind === 'end' || element.kind === 'word'
    default:
      return false
  }
}
