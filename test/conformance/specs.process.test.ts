import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EngineError } from '../../engine/base/errors.ts'
import { perform } from '../../engine/scan/perform.ts'
import { checkPack } from '../../engine/sources/packs/import/check.ts'
import { installPack } from '../../engine/sources/packs/install.ts'
import { detectFormat } from '../../engine/specs/document.ts'
import { makeSpecPack, type WeakPlace } from '../../engine/specs/pack.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { ROOT } from '../root.ts'

// API specifications that others have published, valid and invalid.

const DATA = resolve(ROOT, '../shared/data/api')
const here = existsSync(DATA)
if (!here) console.warn('test/conformance/specs: skipped, since there is no ../shared/data/api beside the project.')

const specifications = here
  ? (readdirSync(DATA, { recursive: true }) as string[])
      .filter(
        path => /\.(?:ya?ml|json|proto)$/.test(path) && detectFormat(readFileSync(join(DATA, path), 'utf8'), path),
      )
      .sort()
  : []
const labels = here
  ? readFileSync(join(DATA, 'openapi-validity/labels.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { file: string; valid: boolean })
  : []
/** Those that are of some size; each is imported and scanned, which takes its time. */
const scanned = specifications.filter(path =>
  /v3\.0\/.*yaml$|v2\.0\/json\/[^/]*$|v3\.1\/.*json$|asyncapi\/[^/]*$|service\.proto$|bom-1\.7\.proto$|vulnerability\.proto$/.test(
    path,
  ),
)
const read = (path: string) => makeSpecPack(readFileSync(join(DATA, path)), { file: path, path })

describe.runIf(here)('published API specifications', () => {
  test.each(labels.filter(({ valid }) => !valid).map(({ file }) => file))(
    '%s, which is not valid, is refused with its place',
    async file => {
      const error = await read(`openapi-validity/${file}`).catch((raised: unknown) => raised)
      expect(error).toBeInstanceOf(EngineError)
      expect(error).toMatchObject({ code: 'INPUT_INVALID', place: { line: expect.any(Number) } })
    },
    20_000,
  )

  test.each(labels.filter(({ valid }) => valid).map(({ file }) => file))(
    '%s, which is valid, is read',
    async file => {
      expect((await read(`openapi-validity/${file}`)).format).toBe('openapi')
    },
    20_000,
  )

  test('a scan with the rules of a specification finds the places that the analysis named, and no others', async () => {
    const root = project({ 'readme.md': '' })
    const { context } = surface(root)
    const expected = new Set<string>()
    for (const [index, path] of scanned.entries()) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      cpSync(join(DATA, path), join(root, path))
      const id = `spec-${index}`
      const made = await makeSpecPack(readFileSync(join(root, path)), { file: path, path, id })
      const { pack, written } = await checkPack(made.draft, [])
      await installPack(root, pack, { rules: written, libraries: [] }, false)
      for (const place of made.places) if (isScanned(place, made.format)) expected.add(key(place))
    }
    const { findings, run } = await perform({ repo_path: '.' }, context)
    const found = findings
      .filter(({ rule_id }) => rule_id.startsWith('spec-'))
      .map(each => `${each.rule_id} ${each.file}:${each.line}`)
    expect(run.not_evaluated.filter(({ rule_id }) => rule_id.startsWith('spec-'))).toEqual([])
    expect(expected.size).toBeGreaterThan(300)
    expect([...new Set(found)].sort()).toEqual([...expected].sort())
  }, 240_000)
})

/** Who may make a call shows in no .proto file; it is an obligation, and no rule. */
function isScanned({ kind }: WeakPlace, format: string): boolean {
  return format !== 'protobuf' || kind !== 'auth'
}

function key({ rule_id, place }: WeakPlace): string {
  return `${rule_id} ${place.file}:${place.line}`
}
