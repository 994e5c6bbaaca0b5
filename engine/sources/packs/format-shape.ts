import { type AST, RegExpParser } from '@eslint-community/regexpp'
import type { LeastRun } from '../../base/records/secret-detector.ts'
import { DIGIT64, LEAST_RUN } from '../../detect/secrets/token-runs.ts'

/** Characters of the longest text that a format can match. */
export function measureLongestMatch(format: string): number {
  const ofAll = (alternatives: readonly AST.Alternative[]): number =>
    Math.max(0, ...alternatives.map(({ elements }) => elements.reduce((sum, element) => sum + ofOne(element), 0)))
  const ofOne = (element: AST.Element): number => {
    if (element.type === 'Group' || element.type === 'CapturingGroup') return ofAll(element.alternatives)
    if (element.type === 'Quantifier') return element.max * ofOne(element.element)
    return element.type === 'Assertion' || element.type === 'Backreference' ? 0 : 2
  }
  return ofAll(parseFormat(format).alternatives)
}

/** Whether every match of the format begins with one of the texts, case folded: what it only looks at is no part of a match. */
export function beginsWithOne(format: string, texts: readonly string[]): boolean {
  const ofAll = (alternatives: readonly AST.Alternative[]): boolean => alternatives.every(ofSequence)
  const ofSequence = ({ elements }: AST.Alternative): boolean => {
    let run = ''
    for (const element of elements) {
      if (element.type === 'Assertion') continue
      if (element.type === 'Character') {
        run += String.fromCodePoint(element.value).toLowerCase()
        if (texts.some(text => run.startsWith(text))) return true
        continue
      }
      const isGroup = element.type === 'Group' || element.type === 'CapturingGroup'
      return run === '' && isGroup && ofAll(element.alternatives)
    }
    return false
  }
  return ofAll(parseFormat(format).alternatives)
}

/** What is known of every text that a part of a format matches. */
interface Shape {
  /** Digits of base64 throughout. */
  isRun: boolean
  /** Letters and decimal digits throughout. */
  isPlain: boolean
  /** Characters at least. */
  length: number
  /** The longest run that it holds at least. */
  best: LeastRun
}

const NOTHING: LeastRun = { length: 0, plain: 0 }

/** The longest run that every match of the format holds; undefined where it need not hold one that is looked for. Case is no matter. */
export function findLeastRun(format: string): LeastRun | undefined {
  const { best } = ofAlternatives(parseFormat(format).alternatives)
  return best.length >= LEAST_RUN ? best : undefined
}

function ofAlternatives(alternatives: readonly AST.Alternative[]): Shape {
  const shapes = alternatives.map(ofSequence)
  return {
    isRun: shapes.every(({ isRun }) => isRun),
    isPlain: shapes.every(({ isPlain }) => isPlain),
    length: Math.min(...shapes.map(({ length }) => length)),
    best: {
      length: Math.min(...shapes.map(({ best }) => best.length)),
      plain: Math.min(...shapes.map(({ best }) => best.plain)),
    },
  }
}

function ofSequence({ elements }: AST.Alternative): Shape {
  const out: Shape = { isRun: true, isPlain: true, length: 0, best: NOTHING }
  /** The run that the elements so far end in, and the plain part that it ends in. */
  let run = NOTHING
  let plain = 0
  for (const element of elements) {
    const shape = ofElement(element)
    out.isRun &&= shape.isRun
    out.isPlain &&= shape.isPlain
    out.length += shape.length
    if (shape.isRun) {
      plain = shape.isPlain ? plain + shape.length : 0
      run = { length: run.length + shape.length, plain: Math.max(run.plain, plain, shape.best.plain) }
      if (run.length >= out.best.length) out.best = run
    } else {
      run = NOTHING
      plain = 0
      if (shape.best.length > out.best.length) out.best = shape.best
    }
  }
  return out
}

function ofElement(element: AST.Element): Shape {
  // What is only looked at stands elsewhere too, and takes nothing.
  if (element.type === 'Assertion') return { isRun: true, isPlain: true, length: 0, best: NOTHING }
  if (element.type === 'Group' || element.type === 'CapturingGroup') return ofAlternatives(element.alternatives)
  if (element.type === 'Quantifier') return repeated(ofElement(element.element), element.min)
  const isRun = holdsOnly(element, code => DIGIT64[code] !== undefined && DIGIT64[code] !== 255)
  const isPlain = holdsOnly(element, isAlphanumeric)
  return { isRun, isPlain, length: 1, best: { length: Number(isRun), plain: Number(isPlain) } }
}

function repeated(shape: Shape, times: number): Shape {
  const length = shape.length * times
  if (times === 0) return { ...shape, length, best: NOTHING }
  if (!shape.isRun) return { ...shape, length }
  return { ...shape, length, best: { length, plain: shape.isPlain ? length : shape.best.plain } }
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/** Whether an element of one character takes only such as `holds`. */
function holdsOnly(element: AST.Element | AST.CharacterClassElement, holds: (code: number) => boolean): boolean {
  if (element.type === 'Character') return holds(element.value)
  if (element.type === 'CharacterSet')
    return (
      !('negate' in element && element.negate) && (element.kind === 'digit' || (element.kind === 'word' && holds(0x5f)))
    )
  if (element.type === 'CharacterClassRange') {
    for (let code = element.min.value; code <= element.max.value; code++) if (!holds(code)) return false
    return true
  }
  return element.type === 'CharacterClass' && !element.negate && element.elements.every(part => holdsOnly(part, holds))
}

/** The expression read; throws where it is none. */
export function parseFormat(format: string): AST.Pattern {
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(format, 0, format.length, { unicode: true })
}
