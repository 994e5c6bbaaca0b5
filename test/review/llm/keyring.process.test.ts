import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readKeyring } from '../../../engine/review/llm/keyring.ts'
import { resolveSettings } from '../../../engine/review/llm/settings.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { folder } from '../../made/folder.ts'
import { repository } from '../../made/project.ts'

/** A program in the place of the system's: it knows one service, and says what it was started with. */
function standIn() {
  const program = join(folder(), 'reader')
  writeFileSync(program, '#!/bin/sh\n[ "$2" = svc-llm ] && echo " key-of-$1-$SECRET " || exit 1\n')
  chmodSync(program, 0o755)
  return { program, args: (service: string) => ['lookup', service] }
}

it('the key of a service is what the program of the system prints, without the environment of svc', () => {
  process.env.OTHER = 'leaked'
  try {
    expect(readKeyring('svc-llm', standIn())).toBe('key-of-lookup-')
  } finally {
    delete process.env.OTHER
  }
})

it.each([
  ['other', 'gave no key for the service other'],
  ['--help', 'must be a service name'],
  ['a b; ls', 'must be a service name'],
])('a service %s is refused with the reason', (service, reason) => {
  expect(() => readKeyring(service, standIn())).toThrow(reason)
})

it('a program that is not installed is named', () => {
  expect(() => readKeyring('svc-llm', { program: '/nowhere/secret-tool', args: () => [] })).toThrow(
    '/nowhere/secret-tool is not installed',
  )
})

it('a key in the environment comes first, and the keyring is not asked', async () => {
  const config = await loadConfig(repository({ '.svc/config.yaml': 'llm:\n  provider: openai\n  model: gpt-4o\n' }), {
    env: {},
  })
  expect(resolveSettings(config, { OPENAI_API_KEY: 'k', SVC_LLM_KEYRING: 'not a name' })).toMatchObject({ key: 'k' })
  expect(() => resolveSettings(config, { SVC_LLM_KEYRING: 'not a name' })).toThrow('SVC_LLM_KEYRING')
})
