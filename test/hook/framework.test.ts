import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { ROOT, textOf } from '../root.ts'

const hooks = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as Record<string, unknown>[]

it('.pre-commit-hooks.yaml offers hooks that start a command of svc, once and without file names', () => {
  const commands = OPERATIONS.flatMap(({ cli }) => (cli === null ? [] : [`svc ${cli.split(/ [<[]/)[0]}`]))
  expect(hooks.map(({ id, language }) => [id, language])).toEqual([
    ['svc', 'node'],
    ['svc-system', 'system'],
  ])
  for (const hook of hooks) {
    expect(commands).toContain(hook.entry)
    expect(hook).toMatchObject({
      pass_filenames: false,
      require_serial: true,
      always_run: true,
      stages: ['pre-commit'],
    })
  }
})

it('docs/hooks.md and docs/fixes.md name each of them, and every command of hooks and fixes', () => {
  const text = textOf('docs/hooks.md') + textOf('docs/fixes.md')
  for (const { id } of hooks) expect(text).toContain(`\`${id}\``)
  // One without a command and an address is asked by editors alone (docs/editors.md).
  for (const { cli, rest } of OPERATIONS.filter(({ id }) => /^(hook|fixes)\./.test(id))) {
    const name = cli === null ? rest : `svc ${cli}`
    if (name !== null) expect(text).toContain(name)
  }
})
