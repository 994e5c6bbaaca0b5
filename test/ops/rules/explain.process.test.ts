import { describe, expect, test } from 'vitest'
import { ask } from '../../made/ask.ts'
import { empty } from '../../made/project.ts'

interface Explained {
  id: string
  title: string
  message: string
  languages: string[]
  rules?: { id: string; severity: string }[]
}

const explain = async (rule_id: string) => await ask<Explained>('rules.explain', { rule_id }, (await empty()).root)

describe('svc explain', () => {
  test('explains a rule by its id', async () => {
    const { output } = await explain('python-yaml-unsafe-load')
    expect(output.id).toBe('python-yaml-unsafe-load')
    expect(output.rules).toBeUndefined()
  })

  test.each(['CWE-918', '918', 'SSRF', 'server-side request forgery'])(
    'explains a weakness by %s, with its rules in every language',
    async words => {
      const { output } = await explain(words)
      expect(output.title).toBe('Server-side request forgery (SSRF)')
      expect(output.message).toContain('attacker')
      expect(output.rules!.map(({ id }) => id)).toEqual(expect.arrayContaining(['server-side-request-forgery']))
      expect(output.languages).toEqual(expect.arrayContaining(['python', 'java', 'go', 'php', 'ruby', 'csharp']))
    },
  )

  test('refuses what is neither, with the rule that was probably meant', async () => {
    await expect(explain('python-yaml-unsafe-laod')).rejects.toMatchObject({
      code: 'RULE_NOT_FOUND',
      message: expect.stringContaining('did you mean python-yaml-unsafe-load?'),
    })
  })
})

describe('svc explain of a rule in several languages', () => {
  interface Forms {
    id: string
    languages: string[]
    remediation: string
    violating: string[]
    forms: { key: string; pack_id: string }[]
  }
  const explainForms = async (rule_id: string) =>
    (await ask<Forms>('rules.explain', { rule_id }, (await empty()).root)).output

  test('prints the remediation of each, and by the former id of one that one alone, with all of its examples', async () => {
    const all = await explainForms('sql-injection')
    const one = await explainForms('python-sql-injection')
    expect(all.languages).toEqual(expect.arrayContaining(['python', 'java', 'csharp', 'php']))
    expect(all.remediation).toContain(one.remediation.trim())
    expect(all.forms.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['python-sql-injection', 'java-sql-injection']),
    )
    expect([one.id, one.languages, one.forms.map(({ key }) => key)]).toEqual([
      'sql-injection',
      ['python'],
      ['python-sql-injection'],
    ])
    expect(one.violating.length).toBeGreaterThan(1)
  })
})
