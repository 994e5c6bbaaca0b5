import type { GenericClass } from '../../../base/records/secret-detector.ts'
import type { CompiledRule } from '../../rules/active-rules.ts'
import type { RawMatch } from '../../rules/match.ts'
import { findAnchors } from '../generic/anchors.ts'
import { runGeneric } from '../generic/run.ts'
import { runFormat } from '../run.ts'
import { findTokenRuns, type TokenRuns } from '../token-runs.ts'
import { findHidden, type Signs } from './find.ts'
import { mapToPieces, type Stretch } from './stretch.ts'

/** What is asked of a decoded text. */
export interface Detectors {
  rules: readonly CompiledRule[]
  /** Formats that the bytes leave a chance, by their rules' indexes. */
  formatsFor(bytes: Uint8Array): readonly number[]
  /** Detectors of values without a format, by what they take. */
  generic: ReadonlyMap<GenericClass, number>
}

/** A text with what is known of it. */
export interface Source {
  text: string
  bytes: Uint8Array
  runs: TokenRuns
  language: string
  signs: Signs
}

/** A name with something behind it, as the model needs it to say anything. */
const NAMED_VALUE = /[\w.-]{2,60}\\?["']?\s{0,4}[=:>]\s{0,4}\S/

/** Secrets in what the text hides: the span is that of the encoded place, the value the decoded one. */
export function runHidden(detectors: Detectors, source: Source, explain: boolean): RawMatch[] {
  const out: RawMatch[] = []
  for (const stretch of findHidden(source.text, source.bytes, source.language, source.signs, source.runs)) {
    const found: RawMatch[] = []
    const bytes = Buffer.from(stretch.text, 'latin1')
    const runs = findTokenRuns(bytes)
    for (const rule of detectors.formatsFor(bytes)) {
      for (const match of runFormat(detectors.rules[rule] as Parameters<typeof runFormat>[0], stretch.text, runs))
        found.push({ ...match, rule })
    }
    // What is put together from parts, the model reads in the text itself.
    if (stretch.writing !== 'joined' && detectors.generic.size > 0 && NAMED_VALUE.test(stretch.text))
      found.push(...valuesIn(stretch, source.language, detectors, explain))
    for (const match of found) out.push(inSource(stretch, match))
  }
  return out
}

function valuesIn({ text, writing }: Stretch, language: string, { generic }: Detectors, explain: boolean): RawMatch[] {
  const anchors = findAnchors(text)
  if (anchors.length === 0) return []
  return runGeneric(text, anchors, languageWithin(text, writing, language), explain).flatMap(({ kind, ...match }) => {
    const rule = generic.get(kind)
    return rule === undefined ? [] : [{ ...match, rule }]
  })
}

/** What is decoded is of no language that the file's name tells; escapes stand in lines of the file's own. */
function languageWithin(text: string, writing: Stretch['writing'], language: string): string {
  const start = /\S/.exec(text)?.[0]
  if (start === '{' || start === '[') return 'json'
  if (start === '<') return 'xml'
  return writing === 'base64' || writing === 'hex' ? 'yaml' : language
}

function inSource(stretch: Stretch, { start, end, value, note, ...match }: RawMatch): RawMatch {
  const said = `${stretch.writing === 'joined' ? 'written as' : 'encoded'}: ${NAMES[stretch.writing]}`
  return {
    ...match,
    ...mapToPieces(stretch, start, end),
    value: meant(value ?? stretch.text.slice(start, end), stretch.writing),
    note: note === undefined ? said : `${said}; ${note}`,
    hidden: true,
  }
}

const NAMES: Record<Stretch['writing'], string> = {
  base64: 'base64',
  hex: 'hex',
  url: 'url',
  escapes: 'escapes',
  entities: 'entities',
  joined: 'parts',
}

/** Decoded bytes stand as one character each; where they are UTF-8, the value is what they mean. */
function meant(value: string, writing: Stretch['writing']): string {
  if (writing !== 'base64' && writing !== 'hex') return value
  return /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value
}
