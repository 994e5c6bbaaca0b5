import { describe, expect, it } from 'vitest'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'

const every = loadBuiltinPacks().flatMap(pack => pack.rules)
/** Secrets have titles of their own form: provider and credential. */
const rules = every.filter(({ type }) => type !== 'secret')
const secrets = every.flatMap(rule => (rule.type === 'secret' ? [rule] : []))

/** The common name of a weakness, which people search for, by its CWE number. */
const NAMES: Record<string, RegExp> = {
  'CWE-22': /path traversal/i,
  'CWE-78': /command injection/i,
  'CWE-79': /cross-site scripting \(XSS\)/i,
  'CWE-89': /SQL injection/i,
  'CWE-90': /LDAP injection/i,
  // Or a kind of it that has a name of its own.
  'CWE-94': /code injection|template injection/i,
  'CWE-352': /CSRF/,
  'CWE-502': /deserialization/i,
  'CWE-601': /open redirect/i,
  'CWE-611': /XXE/,
  'CWE-643': /XPath injection/i,
  'CWE-798': /hard-coded/i,
  'CWE-918': /SSRF/,
}

/** Words of a private dialect for which the field has its own. */
const DIALECT =
  /\b(input of a client|what a client sends|comes with the request|mend(s|ed)?|remedy|sternest|broken off|look(s|ed)? (at|into|for)|whoever|somebody|the other side|told|on trial)\b/i

const quote = ({ id, title }: { id: string; title: string }) => `${id}: ${title}`

describe('the texts of rules', () => {
  it('carry the common name of the weakness in the title', () => {
    const nameless = rules.filter(({ cwe, title }) => {
      const names = cwe.flatMap(number => NAMES[number] ?? [])
      return names.length > 0 && !names.some(name => name.test(title))
    })
    expect(nameless.map(quote)).toEqual([])
  })

  it.each(['title', 'message'] as const)('have no word of a private dialect in the %s', field => {
    expect(rules.filter(rule => DIALECT.test(rule[field])).map(rule => `${rule.id}: ${rule[field]}`)).toEqual([])
  })

  it('have titles that a list can show in one line, without a period', () => {
    expect(
      rules.filter(({ title }) => title.length < 12 || title.length > 80 || title.endsWith('.')).map(quote),
    ).toEqual([])
  })

  it('have one title a rule in each pack', () => {
    const titles = rules.map(({ pack_id, title }) => `${pack_id}: ${title}`)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })
})

describe('the texts of secret detectors', () => {
  it('have a title that a list can show in one line, without a period and not as a sentence', () => {
    const odd = secrets.filter(
      ({ title }) => title.length < 10 || title.length > 62 || /^(An?|The) .* (is|of) |\.$/.test(title),
    )
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

  it.each(['title', 'message', 'remediation'] as const)('have no word of a private dialect in the %s', field => {
    expect(secrets.filter(rule => DIALECT.test(rule[field])).map(rule => `${rule.id}: ${rule[field]}`)).toEqual([])
  })
})
