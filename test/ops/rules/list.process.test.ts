import { expect, test } from 'vitest'
import { ask } from '../../made/ask.ts'
import { empty } from '../../made/project.ts'

const list = async (input: Record<string, unknown>) =>
  (await ask<{ total: number; rules: { id: string; cwe: string[] }[] }>('rules.list', input, (await empty()).root))
    .output

test.each([
  ['language', 'pyhton', 'did you mean python?'],
  ['pack', 'owasp-top-10-2012', 'did you mean owasp-top-10-2021?'],
  ['pack', 'no-such-pack-at-all', 'There is no pack no-such-pack-at-all.'],
  ['cwe', 'injection', 'CWE-89'],
])('a %s that is not known (%s) is refused, never answered with no rules', async (key, value, message) => {
  await expect(list({ [key]: value })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining(message),
  })
})

test.each([
  ['language', 'klingon', /^Rules name: any, .*\bpython\b/],
  ['pack', 'no-such-pack-at-all', /svc list-packs/],
  ['framework', 'no-such-framework', /svc list-packs --kind framework/],
])('where a %s is not known (%s), the hint leads to those that are', async (key, value, hint) => {
  await expect(list({ [key]: value })).rejects.toMatchObject({ hint: expect.stringMatching(hint) })
})

test('a CWE may be given by its number', async () => {
  const byNumber = await list({ cwe: '89' })
  expect(byNumber.total).toBeGreaterThan(0)
  expect(byNumber).toEqual(await list({ cwe: 'cwe-89' }))
  expect(byNumber.rules.every(({ cwe }) => cwe.includes('CWE-89'))).toBe(true)
})

test('a language without a rule of its own is known all the same', async () => {
  expect((await list({ language: 'css' })).total).toBeGreaterThan(0)
})

test.each([
  ['path traversal', 'CWE-22'],
  ['sql injection', 'CWE-89'],
  ['ssrf', 'CWE-918'],
  ['xss', 'CWE-79'],
  ['open redirect', 'CWE-601'],
  ['csrf', 'CWE-352'],
  ['xxe', 'CWE-611'],
  ['deserialization', 'CWE-502'],
  ['hard-coded credential', 'CWE-798'],
  ['weak hash', 'CWE-328'],
])('a search for %s finds every rule for %s, in whatever words it is written', async (search, cwe) => {
  const found = await list({ search })
  const known = await list({ cwe })
  expect(known.total).toBeGreaterThan(0)
  // By id first: comparing each of a thousand rules with each of a thousand takes half a minute.
  const byId = new Map(found.rules.map(rule => [rule.id, rule]))
  expect(known.rules.map(({ id }) => byId.get(id))).toEqual(known.rules)
})

test('a rule in several languages is listed once, and for one language with what runs there alone', async () => {
  type Listed = { rules: { id: string; pack_id: string; forms?: { key: string }[] }[] }
  const find = async (input: Record<string, unknown>) =>
    ((await list(input)) as unknown as Listed).rules.filter(
      ({ id, forms = [] }) => id === 'sql-injection' || forms.some(({ key }) => key === 'java-sql-injection'),
    )
  const [all, ...others] = await find({ cwe: '89' })
  expect(others).toEqual([])
  expect(all!.forms!.length).toBeGreaterThan(8)
  const [java] = await find({ language: 'java' })
  expect(java).toMatchObject({ id: 'sql-injection', pack_id: 'java' })
  expect(java!.forms!.map(({ key }) => key).sort()).toEqual([
    'java-sql-dynamic',
    'java-sql-from-input',
    'java-sql-injection',
  ])
})
