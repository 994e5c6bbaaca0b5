import { describe, expect, it } from 'vitest'
import { buildInventory } from '../../../engine/supply/inventory/build.ts'
import type { Format } from '../../../engine/supply/inventory/formats.ts'
import type { Parser } from '../../../engine/supply/inventory/parsed.ts'
import { compileFormats } from '../../../engine/supply/inventory/select.ts'
import { normalizeText, refuseUnusable } from '../../../engine/supply/inventory/syntax/whole.ts'
import fc from '../../made/property.ts'
import { SAMPLES } from './samples.ts'

/** Changed files of each format; SVC_MANIFEST_MUTATIONS=5000 for the long run. */
const RUNS = Number(process.env.SVC_MANIFEST_MUTATIONS ?? 200)
/** What one small file may cost of the processor, which what else the machine does changes little. */
const MOST_MS = 2000
const MOST_BYTES = 300 * 2 ** 20

const PIECES = [
  ...[
    '',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    ':',
    ',',
    '\n',
    '\n\n',
    '  ',
    '\t',
    '[]',
    '{}',
    'null',
    'true',
    '0',
    '1e999',
  ],
  ...[
    '@',
    '__proto__',
    'constructor',
    '\\',
    '&a',
    '*a',
    '<<: *a',
    '=',
    '==',
    '<',
    '</',
    '<!--',
    ']]>',
    '&amp;',
    '\u0000',
    '\ud800',
  ],
  ...[
    '../..',
    'file:',
    'git+https://',
    '%00',
    '${a}',
    '- ',
    '#',
    '//',
    '/*',
    '"""',
    '!!js',
    '---',
    '~>',
    '*',
    '^',
    '>=1 <2',
    '\u202e',
    '\r\n',
  ],
]

/** A change of a text: a span is replaced, removed, repeated or put elsewhere. */
const change = fc.record({
  kind: fc.constantFrom('splice', 'splice', 'splice', 'cut', 'repeat', 'move', 'line'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  times: fc.constantFrom(2, 3, 50, 2000),
  piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6, unit: 'binary' })),
})

function mutate(text: string, changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[]): string {
  let changed = text
  for (const { kind, at, to, length, times, piece } of changes) {
    const start = Math.floor(at * changed.length)
    const span = changed.slice(start, start + length)
    const rest = changed.slice(start + length)
    const before = changed.slice(0, start)
    if (kind === 'splice') changed = before + piece + rest
    else if (kind === 'cut') changed = before
    else if (kind === 'repeat') changed = before + span.repeat(times) + rest
    else if (kind === 'move') {
      const target = Math.floor(to * (before.length + rest.length))
      const without = before + rest
      changed = without.slice(0, target) + span + without.slice(target)
    } else {
      const lines = changed.split('\n')
      const line = Math.floor(at * lines.length)
      lines.splice(line, 1, ...Array<string>(Math.min(times, 50)).fill(lines[line] ?? ''))
      changed = lines.join('\n')
    }
    if (changed.length > 1_000_000) return changed.slice(0, 1_000_000)
  }
  return changed
}

/** Reads a text as the inventory does; a refusal is an answer. */
function read(text: string, path: string, format: Format, parser: Parser): void {
  const content = normalizeText(text)
  let parsed: ReturnType<Parser['parse']>
  try {
    refuseUnusable(content)
    parsed = parser.parse(content, path)
  } catch (error) {
    // Nothing of ours broke: the reader tells a refusal from a fault of the program by its type.
    expect(error).toMatchObject({ name: 'ManifestFault' })
    return
  }
  try {
    parser.combine?.(new Map([[path, parsed]]))
  } catch (error) {
    expect(error).toMatchObject({ name: 'ManifestFault' })
  }
  const { ecosystem, family, kind, id, workspaces = false } = format
  buildInventory([{ file: path, format: id, ecosystem, family, kind, workspaces, parsed }], [])
}

describe('a manifest in which anything was changed', () => {
  const formatOf = compileFormats()

  it.each(Object.keys(SAMPLES))('is read or refused, in time and memory: %s', async path => {
    const format = formatOf(path)!
    const parser = await format.load!()
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), changes => {
        const text = mutate(SAMPLES[path]!.text, changes)
        const before = process.memoryUsage().heapUsed
        const started = process.cpuUsage()
        read(text, path, format, parser)
        const { user, system } = process.cpuUsage(started)
        expect((user + system) / 1000).toBeLessThan(MOST_MS)
        expect(process.memoryUsage().heapUsed - before).toBeLessThan(MOST_BYTES)
      }),
      { numRuns: RUNS },
    )
  })
})
