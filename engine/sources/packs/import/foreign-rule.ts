import { findBrokenExamples } from '../examples.ts'
import type { WrittenRule } from '../pack-file.ts'
import { readRule } from '../parse.ts'
import { findFirstPattern, makeCode, makeText, nearMisses } from './made-examples.ts'

/** Says in a sentence why a rule of a foreign format cannot be taken over. */
export class NotTaken extends Error {}

const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  py: 'python',
  python2: 'python',
  python3: 'python',
  golang: 'go',
  'c++': 'cpp',
  cc: 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  kt: 'kotlin',
  rb: 'ruby',
  rs: 'rust',
  ex: 'elixir',
  sh: 'bash',
  shell: 'bash',
  yml: 'yaml',
  regex: 'any',
}

/** svc's name of a language that other tools call otherwise. */
export function resolveLanguage(name: string): string {
  const lower = name.toLowerCase()
  return LANGUAGES[lower] ?? lower
}

/** The first sentence of a message, for a title. */
export function makeTitle(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ')
  const sentence = /^.{8,100}?[.:;](?=\s|$)/.exec(line)?.[0].slice(0, -1) ?? line
  return sentence.length <= 100 ? sentence : `${sentence.slice(0, 99).trimEnd()}…`
}

/** CWE ids in texts such as `CWE-89: SQL injection`. */
export function listCweIds(value: unknown): string[] {
  return [...new Set([value].flat().flatMap(text => /CWE-\d+/i.exec(String(text ?? ''))?.[0].toUpperCase() ?? []))]
}

/** Texts of a value that is a text or a list of some. */
export function listTexts(value: unknown): string[] {
  return [value].flat().filter(each => typeof each === 'string' && each !== '') as string[]
}

/**
 * The rule with examples: those given, and made ones where it has none, since no rule loads without. A made example is
 * code that the pattern describes, and code in which one word of it is another; NotTaken where no such pair holds.
 */
export function addExamples(rule: WrittenRule, given: { match: string[]; clean: string[] }): WrittenRule {
  const match = given.match.length > 0 ? given.match : madeMatch(rule)
  const clean = given.clean.length > 0 ? given.clean : nearMisses(match[0]!)
  if (given.match.length > 0 && given.clean.length > 0) return { ...rule, match, clean }
  const held = clean.find(code => holds({ ...rule, match, clean: [code] }))
  if (held === undefined) throw new NotTaken('no valid examples could be generated; add tests for it')
  return { ...rule, match, clean: given.clean.length > 0 ? clean : [held] }
}

function madeMatch(rule: WrittenRule): string[] {
  const pattern = rule.type === 'regex' ? undefined : findFirstPattern(rule.rule)
  const made = rule.type === 'regex' ? makeText(String(rule.regex)) : pattern && makeCode(pattern)
  if (!made) throw new NotTaken('it has no examples, and none could be generated; add tests for it')
  return [made]
}

function holds(rule: WrittenRule): boolean {
  const compiled = readRule(rule, 'rule', 'import', () => ({ file: 'rule' }))
  return findBrokenExamples(compiled).length === 0
}
