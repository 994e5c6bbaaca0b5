import { expect, it } from 'vitest'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../engine/door/schemas.ts'
import { listWritten, WRITTEN } from '../../engine/door/written.ts'
import { textOf } from '../root.ts'
import { projectFiles } from '../sources.ts'

/** Functions that are handed a name by operations, whose own field stands in the list. */
const HANDED_ON = /^engine\/(governance\/credential-file|base\/disk\/output-file)\.ts$/

it('every name that becomes a file to write comes from an input that the guard knows', () => {
  const calls = projectFiles()
    .filter(path => path.startsWith('engine/') && path.endsWith('.ts') && !HANDED_ON.test(path))
    .flatMap(path =>
      [...textOf(path).matchAll(/resolveOutputFile\([\w.]+, ([^)]+)\)/g)].map(([, named]) => ({ path, named: named! })),
    )
  expect(calls.length).toBeGreaterThan(20)
  for (const { path, named } of calls) {
    const field = /^(?:input\.)?(\w+)(?: \?\? .*)?$/.exec(named)?.[1]
    expect(Object.keys(WRITTEN), `${path}: ${named}`).toContain(field)
  }
})

it('every input that is described as a file or directory to write is one that the guard knows', () => {
  const found = new Set<string>()
  for (const { id } of OPERATIONS) {
    const { properties = {} } = loadSchemas(id).input as {
      properties?: Record<string, { type?: string; description?: string }>
    }
    for (const [field, { type, description = '' }] of Object.entries(properties)) {
      if (type !== 'string') continue
      if (!/\b(?:to write|output file|are written there|directory for|to add the drafts to)\b/.test(description))
        continue
      expect(Object.keys(WRITTEN), `${id} ${field}`).toContain(field)
      found.add(field)
    }
  }
  expect([...found].sort()).toEqual(Object.keys(WRITTEN).sort())
})

it('no operation that names a file to write is free of permission', () => {
  for (const { id, action } of OPERATIONS) {
    const { properties = {} } = loadSchemas(id).input as { properties?: Record<string, { type?: string }> }
    const fields = Object.keys(WRITTEN).filter(field => properties[field]?.type === 'string')
    if (fields.length > 0) expect(action, id).not.toBeNull()
  }
})

it('every document that an attestation writes beside the named file is one that the guard knows', () => {
  const all = ['a.json', 'a.intoto.json', 'a.sigstore.json', 'a.vsa.intoto.json', 'a.cdx.json']
  expect(listWritten({ output: 'a.json' }, '/r', '/r', 'assure.attest')).toEqual(all)
  expect(listWritten({ output: '.mcp' }, '/r', '/r', 'assure.attest')).toContain('.mcp.json')
  expect(listWritten({ output: 'a.json' }, '/r', '/r', 'assure.other')).toEqual(['a.json'])
})

it('names are those of the folder that is worked on, and standard output is none', () => {
  expect(listWritten({ output: '-' }, '/a', '/a')).toEqual([])
  expect(listWritten({ output: 'x', attest: 'y' }, '/a', '/a')).toEqual(['y', 'y.pub.pem', 'x'])
  expect(listWritten({ output: 'x' }, '/a', '/a/b')).toEqual(['../x'])
  expect(listWritten({ output: 3, attest: true }, '/a', '/a')).toEqual([])
})
