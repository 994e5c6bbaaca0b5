import { expect, test } from 'vitest'
import { EngineError } from '../../../engine/base/errors.ts'
import { readRules } from '../../../engine/sources/packs/folder.ts'
import { ProofBudget } from '../../../engine/sources/packs/libraries/proof-budget.ts'
import { lintPack } from '../../../engine/sources/packs/lint/lint.ts'
import { lintText } from '../../../engine/sources/packs/lint/source.ts'
import { folder } from '../../made/folder.ts'
import { wordRule } from '../../made/rules.ts'

const RULE = `id: local-launch
type: taint
class: shell
title: 'Command injection: untrusted input in acme.launch'
message: An attacker can run commands.
severity: high
languages: [python]
sources: [request]
sinks:
  - calls: [acme.launch]
    unless_file: '^acme_is_safe = \\w+'
remediation: Use a list of arguments.
match: ["import acme\\nfrom flask import request\\ndef f():\\n    acme.launch(request.args['x'])\\n"]
clean: ["import acme\\ndef f():\\n    acme.launch('x')\\n"]
`

async function faultsOf(text: string, budget?: ProofBudget): Promise<string[]> {
  const root = folder({ '.svc/rules/local-launch.yaml': text })
  try {
    await readRules(`${root}/.svc/rules`, 'local', root, [], [], budget)
    return []
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.faults.map(({ message, place }) => `${place?.file}:${place?.line ?? 0} ${message}`)
  }
}

test("a repository's own taint rule loads where its expressions are bounded", async () => {
  expect(await faultsOf(RULE)).toEqual([])
})

test.each([
  ['of a sink', 'unless_file: .*', "unless_file: '^(a+)+$'"],
  ['of the file', 'sources:', "when: '(\\w+\\s?)*!'\nsources:"],
  ['of names of calls', 'acme.launch]', "'/^(acme\\.?)*$/']"],
])('one with an expression %s that can backtrack without bound does not', async (_, from, to) => {
  const [fault = ''] = await faultsOf(RULE.replace(new RegExp(from), () => to))
  expect(fault).toMatch(/^\.svc\/rules\/local-launch\.yaml:\d+ local-launch: .* can be tried in too many ways/)
})

test('lint-pack names the expression', async () => {
  const rule = RULE.replace(/'\^acme.*'/, () => "'^(a+)+$'").replace(/\n(?=.)/g, '\n    ')
  const pack = `id: house\nversion: 1.0.0\nname: House\ndescription: Rules of the house.\nrules:\n  - ${rule}`
  const { problems } = await lintPack(lintText(pack, 'house.yaml', []))
  expect(problems.filter(({ check }) => check === 'slow-regex')).toMatchObject([
    { on: 'local-launch', file: 'house.yaml' },
  ])
})

test('the examples of all rules have one budget', async () => {
  const spent = new ProofBudget({ runs: 0 })
  const root = folder(wordRule('frobnicate'))
  await expect(readRules(`${root}/.svc/rules`, 'local', root, [], [], spent)).rejects.toThrow(/were not all run/)
})
