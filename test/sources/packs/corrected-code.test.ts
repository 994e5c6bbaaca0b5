import { expect, test } from 'vitest'
import { EngineError } from '../../../engine/base/errors.ts'
import { readRules } from '../../../engine/sources/packs/folder.ts'
import { folder } from '../../made/folder.ts'

/** The faults of a repository's own rule of two languages with this corrected code. */
async function faultsOf(language: string, code: string): Promise<string[]> {
  const text = `id: local-send
type: regex
title: Cleartext
message: An attacker on the network path can read it.
severity: low
languages: [lua, dart]
regex: http://
remediation: Use TLS.
corrected_code:
  - languages: [${language}]
    code: ${JSON.stringify(code)}
match: ['get("http://a.io")']
clean: ['get("https://a.io")']
`
  const root = folder({ '.svc/rules/local-send.yaml': text })
  try {
    await readRules(`${root}/.svc/rules`, 'local', root, [], [])
    return []
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.faults.map(({ message }) => message)
  }
}

test('a rule loads with corrected code in which it reports nothing', async () => {
  expect(await faultsOf('lua', 'get("https://a.io")')).toEqual([])
})

test('a rule that reports its own corrected code does not load', async () => {
  expect(await faultsOf('lua', 'get("http://a.io")')).toEqual([
    expect.stringMatching(/corrected_code example fails.*the rule fires on it/),
  ])
})

test('a rule has no corrected code in a language that it does not read', async () => {
  expect(await faultsOf('ruby', 'get("https://a.io")')).toEqual([
    expect.stringContaining('ruby is none of the languages of the rule'),
  ])
})
