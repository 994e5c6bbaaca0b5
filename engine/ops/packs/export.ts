import { type } from 'arktype'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { readWrittenLibraries } from '../../sources/packs/libraries/own.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { formatPack, isWritten } from '../../sources/packs/pack-file.ts'
import { findPack } from '../../sources/packs/state.ts'

/** A pack as one YAML file, which import-pack reads: what pack.yaml says, and every rule with its examples. */
export default defineOperation({
  id: 'packs.export',
  summary: 'Export a pack as one YAML file.',
  effect: 'read',
  cli: 'export-pack <id>',
  rest: 'GET /api/packs/{id}/export',
  mcp: null,
  short: { output: 'o' },
  input: type({
    id: type('string > 0').describe('a pack id from list-packs'),
    'output?': type('string > 0').describe('an output file, or - for standard output (default: standard output)'),
    '+': 'reject',
  }),
  output: type({ id: 'string', yaml: 'string', path: type('string').describe('the file that was written, or -') }),
  raw: { field: 'yaml', type: () => 'application/yaml; charset=utf-8' },
  examples: [
    ['svc export-pack python > python.yaml', 'export a pack to standard output'],
    ['svc export-pack python -o python.yaml', 'export a pack to a file'],
  ],

  async run({ id, output }, { cwd, surface, notice }) {
    const root = findRepositoryRoot(cwd)
    const pack = findPack(await loadPacks(root), id)
    const yaml = await formatPack(pack, await readWrittenLibraries(root, id))
    const detectors = pack.rules.filter(rule => !isWritten(rule)).length
    if (detectors > 0)
      notice(`${formatCount(detectors, 'detector')} for secrets cannot be part of a pack file and are omitted.`)
    if (output === undefined || output === '-' || surface !== 'cli') return { id, yaml, path: '-' }
    const path = resolveOutputFile(cwd, output)
    writeOutput(path, yaml)
    return { id, yaml, path: output }
  },

  text: ({ id, yaml, path }) => (path === '-' ? yaml.trimEnd() : `Wrote ${id} to ${path}.`),
})
