import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPacks } from '../../engine/sources/packs/folder.ts'
import { scaffold } from '../../scripts/new.ts'
import { ROOT } from '../root.ts'

let root: string

beforeEach(() => {
  // Inside the project, so that packages resolve from there, in a folder that git ignores.
  mkdirSync(join(ROOT, 'out'), { recursive: true })
  root = mkdtempSync(join(ROOT, 'out/new-'))
})

afterEach(() => rmSync(root, { recursive: true }))

function make(...words: string[]): string[] {
  const files = scaffold(words, root)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return [...files.keys()]
}

describe('npm run new', () => {
  it('makes a pack and rules that load, with examples that hold', async () => {
    expect(make('pack', 'demo')).toEqual(['packs/demo/pack.yaml'])
    expect(make('rule', 'demo', 'js-demo')).toEqual(['packs/demo/rules/js-demo.yaml'])
    const [pack] = await readPacks(join(root, 'packs'))
    expect(pack).toMatchObject({ id: 'demo', rules: [{ id: 'js-demo', type: 'regex', category: 'code' }] })
  })

  it('makes a detector of secrets in the pack of secrets, whose samples hold', async () => {
    make('pack', 'secrets')
    expect(make('detector', 'secret-acme-token')).toEqual(['packs/secrets/detectors/secret-acme-token.yaml'])
    const [pack] = await readPacks(join(root, 'packs'))
    expect(pack?.rules[0]).toMatchObject({
      id: 'secret-acme-token',
      type: 'secret',
      category: 'secret',
      cwe: ['CWE-798'],
    })
  })

  it('makes an operation that is named as its path says and answers, with a test beside it', async () => {
    const [path, test] = make('op', 'demo', 'greet') as [string, string]
    expect([path, test]).toEqual(['engine/ops/demo/greet.ts', 'test/ops/demo/greet.test.ts'])
    const imported = /from '(\.[^']+)'/.exec(readFileSync(join(root, test), 'utf8'))![1]!
    expect(join(dirname(test), imported)).toBe(path)
    mkdirSync(join(root, 'engine/door'))
    symlinkSync(join(ROOT, 'engine/door/operation.ts'), join(root, 'engine/door/operation.ts'))
    const { default: operation } = await import(pathToFileURL(join(root, path)).href)
    expect(operation.id).toBe('demo.greet')
    expect(operation.run({ name: 'x' })).toEqual({ name: 'x' })
  })

  it.each([
    [['opp'], 'cannot make a new opp; one of op, rule, pack, detector'],
    [[], 'cannot make a new nothing'],
    [['op', 'demo'], 'usage: npm run new op <domain> <verb>'],
    [['pack', 'Not_Good'], 'Not_Good must be lower-case words joined by hyphens'],
    [['rule', 'absent', 'js-demo'], 'there is no pack absent; make it with: npm run new pack absent'],
  ])('refuses %j', (words, message) => {
    expect(() => scaffold(words, root)).toThrow(message)
  })

  it('overwrites nothing', () => {
    make('pack', 'demo')
    expect(() => scaffold(['pack', 'demo'], root)).toThrow('packs/demo/pack.yaml is there already')
  })
})
