// The texts that `npm run new` begins with.

/** An operation that answers with what it was given. */
export function operation(folder: string, verb: string): string {
  return `import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'

/** Answers with the name it was given. */
export default defineOperation({
  id: '${folder}.${verb}',
  summary: 'Answer with the name that was given.',
  effect: 'read',
  cli: '${folder}-${verb} <name>',
  rest: null,
  mcp: null,
  input: type({ name: type('string').describe('a name'), '+': 'reject' }),
  output: type({ name: 'string' }),
  examples: [['svc ${folder}-${verb} world', 'answer with world']],

  run: ({ name }) => ({ name }),

  text: ({ name }) => name,
})
`
}

/** The operation's test: the promise, and the words it says. */
export function operationTest(folder: string, verb: string): string {
  return `import { expect, test } from 'vitest'
import operation from '../../../engine/ops/${folder}/${verb}.ts'

const view = { verbose: false, quiet: false, paint: (_: string, text: string) => text, width: 80 }

test('${folder}.${verb} answers with the name that was given', () => {
  expect(operation.text({ name: 'world' }, view)).toBe('world')
})
`
}

/** A technical pack without rules. */
export function pack(id: string): string {
  return `id: ${id}
version: 0.1.0
name: ${title(id)}
description: Says in one sentence what the pack looks for.
# Languages whose presence turns the pack on; any is always on.
languages: [any]
`
}

/** A textual rule whose examples hold. */
export function rule(id: string): string {
  return `id: ${id}
type: regex
title: ${title(id)}
message: Says what an attacker gains, or what goes wrong, in one or two sentences.
severity: medium
category: code
languages: [any]
cwe: []
remediation: Says how to fix it, with a correct example.
regex: '\\bexample_of_${id.replaceAll('-', '_')}\\b'
match:
  - example_of_${id.replaceAll('-', '_')}
clean:
  - another_word
`
}

/** A detector of secrets whose samples hold. */
export function detector(id: string): string {
  const prefix = id.replace(/^secret-/, '').replaceAll('-', '_')
  return `id: ${id}
provider: Provider of the credential
credential: API token
message: An attacker who has this token can say here what the token allows.
severity: high
format: '(?<![A-Za-z0-9])(?<secret>${prefix}_[A-Za-z0-9]{32})(?![A-Za-z0-9_])'
literals: [${prefix}_]
min_entropy: 3
source: https://example.org/where-the-provider-documents-the-format
revoke: Says how to revoke it.
match:
  - 'token = "${prefix}_{base62:32}"'
clean:
  - 'token = "${prefix}_{base62:12}"'
`
}

/** `js-eval` → `Js eval`. */
function title(id: string): string {
  const words = id.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
