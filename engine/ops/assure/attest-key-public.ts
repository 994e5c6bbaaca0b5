import { relative } from 'node:path'
import { type } from 'arktype'
import { exportPublicPem, readPublicKeys, readSigningKey } from '../../assure/attest/keys.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'

/** The public key for whoever is to verify; with the retired ones where asked. */
export default defineOperation({
  id: 'assure.attest-key-public',
  summary: 'Print the public key of attestations in PEM.',
  effect: 'read',
  action: 'read_findings',
  cli: 'attest key public',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  input: type({
    'output?': type('string > 0').describe('an output file (default: standard output)'),
    all: type('boolean').describe('true or false: include the keys that were replaced').default(false),
    '+': 'reject',
  }),
  output: type({
    key_ids: type('string[]').describe('the SHA-256 of each public key'),
    'pem?': type('string').describe('the keys, if they were not written to a file'),
    'output?': 'string',
  }),
  examples: [
    ['svc attest key public -o svc.pub.pem', 'write the key to a file for verifiers'],
    ['svc attest key public --all', 'print the current key and those before it'],
  ],

  run({ output, all }, { cwd, env }) {
    const own = readSigningKey(env)
    if (!own)
      throw new EngineError('NOT_FOUND', 'There is no key of attestations on this machine.', {
        hint: 'Create one with `svc attest key create`.',
      })
    const known = [...readPublicKeys(env)]
    const keys = all ? known : known.slice(0, 1)
    const pem = keys.map(([, key]) => exportPublicPem(key)).join('')
    const key_ids = keys.map(([id]) => id)
    if (output === undefined) return { key_ids, pem }
    const path = resolveOutputFile(cwd, output)
    writeOutput(path, pem)
    return { key_ids, output: relative(cwd, path) || path }
  },

  text: ({ pem, output }) => pem?.trimEnd() ?? `Wrote ${output}.`,
})
