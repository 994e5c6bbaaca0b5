import { describe, expect, it } from 'vitest'
import { findWords, isNamed, readRuleTexts } from '../../../scripts/words.ts'

const every = readRuleTexts()
const rules = every.filter(({ secret }) => !secret)
/** Secrets have titles of their own form: provider and credential. */
const secrets = every.filter(({ secret }) => secret)

const quote = ({ id, title }: { id: string; title: string }) => `${id}: ${title}`
const isOneLine = ({ title }: { title: string }, shortest: number, longest: number) =>
  title.length >= shortest && title.length <= longest && !title.endsWith('.')

describe('the texts of rules', () => {
  it('carry the common name of the weakness in the title', () => {
    expect(rules.filter(rule => !isNamed(rule)).map(quote)).toEqual([])
  })

  it.each(['title', 'message', 'remediation'] as const)('have no word of a private dialect in the %s', field => {
    expect(every.flatMap(rule => findWords(rule[field]).map(word => `${rule.id}: ${word}`))).toEqual([])
  })

  it('have titles that a list can show in one line, without a period', () => {
    expect(rules.filter(rule => !isOneLine(rule, 12, 80)).map(quote)).toEqual([])
  })

  it('have one title a rule in each pack', () => {
    const titles = rules.map(({ pack, title }) => `${pack}: ${title}`)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })
})

describe('the texts of secret detectors', () => {
  it('have a title that a list can show in one line, without a period and not as a sentence', () => {
    const odd = secrets.filter(rule => !isOneLine(rule, 10, 62) || /^(An?|The) .* (is|of) /.test(rule.title))
    expect(odd.map(quote)).toEqual([])
  })

  it('have one title a detector', () => {
    const titles = secrets.map(({ title }) => title.toLowerCase())
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })

  it('say in one sentence what an attacker gains', () => {
    const odd = secrets.filter(({ message }) => !/\ban attacker who (has|knows)\b[^\n]*\.$/i.test(message))
    expect(odd.map(({ id, message }) => `${id}: ${message}`)).toEqual([])
  })
})

describe('the glossary', () => {
  it('finds a word of a private dialect, and says what to write', () => {
    expect(findWords('Input of a client is passed to a cleaner.')).toEqual([
      '"Input of a client": write untrusted input',
      '"cleaner": write sanitizer, sanitizes, sanitized for',
    ])
  })

  it('leaves code alone', () => {
    expect(findWords('Use `bleach.Cleaner()`:\n```\ntouched = 1\n```')).toEqual([])
  })

  it('requires the name of the weakness by CWE number, but not of secret detectors', () => {
    expect(isNamed({ title: 'Untrusted input in a query', cwe: ['CWE-89'], secret: false })).toBe(false)
    expect(isNamed({ title: 'Kaggle API token', cwe: ['CWE-798'], secret: true })).toBe(true)
  })
})
