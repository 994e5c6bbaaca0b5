// npm run new op <domain> <verb> | rule <pack> <id> | pack <id> | detector <id>
// Writes files that pass `npm run check` as they are; what to change in them is in docs/adding-*.md.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { detector, operation, operationTest, pack, rule } from './templates.ts'

/** What can be scaffolded, with the words that each takes. */
export const KINDS = {
  op: ['domain', 'verb'],
  rule: ['pack', 'id'],
  pack: ['id'],
  detector: ['id'],
} as const satisfies Record<string, readonly string[]>

/** The pack that the detectors of secrets belong to. */
const SECRETS = 'secrets'

/** The files to write, by path from the root; an Error says which word is wrong, or that a file is there already. */
export function scaffold(words: readonly string[], root: string): Map<string, string> {
  const [kind = '', ...names] = words
  if (!(kind in KINDS))
    throw new Error(`cannot make a new ${kind || 'nothing'}; one of ${Object.keys(KINDS).join(', ')}`)
  const takes = KINDS[kind as keyof typeof KINDS]
  if (names.length !== takes.length) throw new Error(`usage: npm run new ${kind} ${takes.map(t => `<${t}>`).join(' ')}`)
  for (const name of names) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
      throw new Error(`${name} must be lower-case words joined by hyphens`)
  }
  const files = filesOf(kind as keyof typeof KINDS, names as [string, string], root)
  for (const path of files.keys()) if (existsSync(join(root, path))) throw new Error(`${path} is there already`)
  return files
}

function filesOf(kind: keyof typeof KINDS, [first, second]: [string, string], root: string): Map<string, string> {
  if (kind === 'pack') return new Map([[`packs/${first}/pack.yaml`, pack(first)]])
  if (kind === 'op') {
    return new Map([
      [`engine/ops/${first}/${second}.ts`, operation(first, second)],
      [`test/ops/${first}/${second}.test.ts`, operationTest(first, second)],
    ])
  }
  const [packId, id] = kind === 'rule' ? [first, second] : [SECRETS, first]
  if (!existsSync(join(root, `packs/${packId}/pack.yaml`))) {
    throw new Error(`there is no pack ${packId}; make it with: npm run new pack ${packId}`)
  }
  if (!id.includes('-')) throw new Error(`${id} must be at least two words joined by a hyphen, such as js-eval`)
  if (kind === 'rule') return new Map([[`packs/${packId}/rules/${id}.yaml`, rule(id)]])
  if (!id.startsWith('secret-')) throw new Error(`${id} must start with secret-, such as secret-acme-token`)
  return new Map([[`packs/${packId}/detectors/${id}.yaml`, detector(id)]])
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
  try {
    const words = process.argv.slice(2)
    for (const [path, text] of scaffold(words, root)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
      console.log(`wrote ${path}`)
    }
    const tested = { rule: words[1], detector: SECRETS }[words[0] as string]
    console.log(`next: ${tested ? `npm run rules:test ${tested}, ` : ''}npm run generate, npm run check`)
  } catch (error) {
    console.error(`new: ${(error as Error).message}`)
    process.exitCode = 64
  }
}
