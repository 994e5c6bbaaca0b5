import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { JsonSchema } from '../../../engine/base/json-schema.ts'
import { CONFIG_SCHEMA, findSchema, listAllKeys } from '../../../engine/sources/config/keys.ts'
import { parseLayer } from '../../../engine/sources/config/layer.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { refusal } from '../../made/call.ts'
import { effortSince } from '../../made/effort.ts'
import { repository } from '../../made/project.ts'
import fc from '../../made/property.ts'

const faultsOf = async (text: string | Uint8Array) =>
  (await parseLayer(typeof text === 'string' ? Buffer.from(text) : text, 'c.yaml', 'root')).faults
const placed = async (text: string | Uint8Array) =>
  (await faultsOf(text)).map(({ message, place }) => `${place?.line}:${place?.column} ${message}`)

describe('an unknown key', () => {
  test('is told with its line and the key that was meant', async () => {
    expect(await placed('scan:\n  jobs: 2\ngate:\n  fial_on: [high]\n')).toEqual([
      '4:3 fial_on is not a known key of gate; did you mean fail_on?',
    ])
  })

  test('that stands at the wrong level is told where it belongs', async () => {
    expect(await placed('fail_on: [high]\n')).toEqual(['1:1 fail_on is not a known key; did you mean gate.fail_on?'])
    expect(await placed('max_dept: 3\n')).toEqual([
      '1:1 max_dept is not a known key; did you mean governance.trust_chain.max_depth?',
    ])
  })

  test('that resembles nothing is told with what may stand there', async () => {
    expect((await placed('history:\n  qqqqqq: 1\n'))[0]).toMatch(/^2:3 qqqqqq .* of history\. Known: keep\.$/)
  })

  test('is found in every section, list and map, whatever it is called', async () => {
    const sections = listAllKeys()
      .filter(({ leaf, key }) => !leaf && !key.includes('<'))
      .map(({ key }) => key)
    const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,15}$/)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('', ...sections), word, fc.nat(5), async (section, key, blank) => {
        const path = section === '' ? [] : section.split('.')
        fc.pre(findSchema([...path, key].join('.')) === undefined)
        const lines = path.map((part, depth) => `${'  '.repeat(depth)}${part}:`)
        const text = ['#'.repeat(blank), ...lines, `${'  '.repeat(path.length)}${key}: 1`].join('\n')
        const [fault, ...more] = await faultsOf(text)
        expect(more).toEqual([])
        expect(fault!.message).toContain(`${key} is not a known key`)
        expect(fault!.place).toEqual({ file: 'c.yaml', line: lines.length + 2, column: path.length * 2 + 1 })
      }),
    )
  })

  test('`__proto__` is a key like any other and changes nothing', async () => {
    expect((await placed('__proto__:\n  polluted: true\n'))[0]).toMatch(/^1:1 __proto__ is not a known key/)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('a bad value', () => {
  test.each([
    ['gate: { fail_on: high }', 'gate.fail_on must be a list of severities, but was "high".', 18],
    ['gate: { fail_on: [high, hihg] }', 'did you mean high?', 25],
    ['scan: { jobs: 0 }', 'scan.jobs must be a number of threads from 1 to 256, but was 0.', 15],
    ['scan: { jobs: 1.5 }', 'must be a number of threads', 15],
    ['scan: { jobs: "2" }', 'but was "2"', 15],
    ['severity_rescoring_enabled: yes', 'must be true or false, but was "yes".', 29],
    ['history: { keep: }', 'history.keep must be a number of runs from 1 to 100000, but was null.', 18],
    ['grc_webhook_url: ftp://x', 'must be an http or https URL', 18],
    ['gate: 5', 'gate must be a map of fail_on, inline_suppressions, protected_branch, trusted, unread, but was 5.', 7],
    ['scan_exclude: [../x]', 'must stay inside the folder', 16],
    ['scan_exclude: ["!x"]', 'cannot bring files back in', 16],
    ['scan_exclude: ["./"]', 'must leave something to scan', 16],
    ['governance: { agent_defaults: { trust_by_agent: { bob: fixlow } } }', 'did you mean fix:low?', 56],
    ['governance: { blast_radius: { zones: [{ name: a }] } }', 'zones.0.patterns is missing', 39],
  ])('%s is told with what it must be, at its place', async (text, message, column) => {
    const faults = await faultsOf(text)
    expect(faults).toHaveLength(1)
    expect(faults[0]!.message).toContain(message)
    expect(faults[0]!.place).toEqual({ file: 'c.yaml', line: 1, column })
  })

  test('all faults come together, in the order of the file', async () => {
    const lines = (await placed('gate:\n  x: 1\nscan:\n  jobs: 0\nhistory: 1\n')).map(line => line.split(':')[0])
    expect(lines).toEqual(['2', '4', '5'])
  })

  test('a file with thousands of faults lists a hundred and the number of the others', async () => {
    const text = Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join('\n')
    const faults = await faultsOf(text)
    expect(faults).toHaveLength(101)
    expect(faults.some(({ message }) => message === '1900 more faults are not listed.')).toBe(true)
  })

  test.each([
    ['packs: { enable: [a], disable: [a] }', 'The pack a is both enabled and disabled.'],
    ['governance: { tool_grants: { auto_grant_scopes: ["*"] } }', 'never granted without an approval'],
    [
      'governance: { blast_radius: { zones: [{ name: a, patterns: [x] }, { name: a, patterns: [y] }] } }',
      'defined twice',
    ],
  ])('%s contradicts itself and is refused', async (text, message) => {
    const error = await refusal(() => loadConfig(repository({ '.svc/config.yaml': text })))
    expect(error.message).toContain(message)
    expect(error.place).toMatchObject({ file: '.svc/config.yaml', line: 1 })
  })
})

describe('a file that is no proper YAML', () => {
  test.each([
    ['gate:\n\tfail_on: [high]\n', /^2:1 A tab indents/],
    ['gate: { fail_on: [high]\n', /The YAML cannot be parsed/],
    ['a: "x\n', /The YAML cannot be parsed/],
    ['gate: {}\nscan: {}\n"gate": {}\n', /^3:1 The key gate is defined twice\.$/],
    ['gate: { fail_on: [high], fail_on: [low] }\n', /^1:26 The key fail_on is defined twice\.$/],
    ['gate: {}\n---\ngate: {}\n', /^2:1 The file contains more than one YAML document\.$/],
    ['gate: !!js/function x\n', /^1:7 The tag !!js\/function is not supported\.$/],
    ['gate: *x\n', /^1:7 The alias refers to itself or to an anchor/],
    ['gate: &a [*a]\n', /^1:11 The alias refers to itself or to an anchor/],
    ['- gate\n', /^1:1 The configuration must be a map of keys, but was a list\.$/],
    ['hello\n', /^1:1 The configuration must be a map of keys, but was a string\.$/],
  ])('%j is refused with its place', async (text, message) => {
    expect((await placed(text))[0]).toMatch(message)
  })

  test('a byte order mark does no harm, another encoding is refused', async () => {
    expect(await faultsOf('\ufeffhistory: { keep: 3 }\n')).toEqual([])
    expect(await placed(Buffer.from('gate: {}', 'utf16le').fill(0xff, 0, 1))).toEqual([
      '1:1 The file is not UTF-8 text.',
    ])
  })

  test('an alias that is used sensibly is followed, and its faults are told where the value stands', async () => {
    expect(await faultsOf('gate: { fail_on: &s [high] }\npacks: { enable: *s }\n')).toEqual([])
    expect((await placed('history: &h { keep: 0 }\nscan: *h\n')).join('\n')).toMatch(/1:21 history.keep must be/)
  })

  test('neither aliases, nor nesting, nor many keys, nor size can exhaust time or memory', async () => {
    let bomb = 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n'
    for (let level = 1; level < 12; level++)
      bomb += `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]\n`
    const spent = effortSince()
    expect((await faultsOf(bomb))[0]!.message).toMatch(/aliases expand to more than 100/)
    for (const deep of ['['.repeat(100_000), '- '.repeat(100_000), 'a: '.concat('{a: '.repeat(20_000))])
      expect((await faultsOf(deep))[0]!.message).toMatch(/nested deeper than 100 levels/)
    expect((await faultsOf('#'.repeat(300_000)))[0]!.message).toMatch(/300000 bytes, but the limit is 262144/)
    expect(spent()).toBeLessThan(10_000)
  })

  test('no bytes at all make it throw', async () => {
    const scrap = fc.array(
      fc.constantFrom(
        'gate',
        'fail_on',
        ': ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        '\n',
        '  ',
        '*a',
        '&a ',
        '? ',
        '"',
        "'",
        '|',
        '#',
        '!',
        '<<',
        '\t',
        '\0',
        'é',
      ),
      { maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          scrap.map(parts => Buffer.from(parts.join(''))),
          fc.uint8Array({ maxLength: 60 }),
        ),
        async bytes => {
          for (const { message, place } of await faultsOf(bytes)) {
            expect(message).not.toBe('')
            expect(place!.line).toBeGreaterThanOrEqual(1)
            expect(place!.column).toBeGreaterThanOrEqual(1)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the schema', () => {
  test('accepts every file that it describes, and fills nothing that is written', async () => {
    await fc.assert(
      fc.asyncProperty(valueFor(CONFIG_SCHEMA), async value => {
        expect(await placed(stringify(value))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('has a default, or a reason in words to have none, for every key', () => {
    for (const { key, schema, leaf } of listAllKeys()) {
      expect(schema.description, key).toBeTruthy()
      // Of a provider: each has its own address, variables and names, and which repository it is, git's remote says.
      const isOfProvider = /^providers\.(github|gitlab|azure|jira)\./.test(key) || key === 'providers.default'
      if (leaf && !isOfProvider && !key.includes('<') && !key.includes('[]') && schema.default === undefined)
        expect([
          'governance.profile',
          'governance.blast_radius.zones',
          'grc_webhook_url',
          'quality_exclude',
          'scan.jobs',
          // Without one, the OSV API is asked.
          'vulns.database',
          // Nothing is sent to a model that nobody chose.
          'llm.provider',
          'llm.model',
          'llm.base_url',
          'llm.key_env',
          'llm.usd_per_million_input',
          'llm.usd_per_million_output',
          'llm.record',
          'llm.replay',
          // Whose, only the organization knows.
          'grc.resource',
          'notary.key',
          'notary.url',
          'login.issuer',
          'login.client_id',
          // Whose machines, only the organization knows.
          'fleet.redis_url',
          'fleet.store',
          'fleet.concurrency',
        ]).toContain(key)
    }
  })
})

/** Any value of a schema. */
function valueFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum, max: schema.maximum })
  if (schema.type === 'number') return fc.double({ min: 0.001, max: 1000, noNaN: true })
  if (schema.type === 'array')
    return fc.array(valueFor(schema.items!), { minLength: Number(schema.minItems ?? 0), maxLength: 3 })
  if (schema.type === 'string')
    return schema.pattern
      ? String(schema.pattern).startsWith('^https?')
        ? fc.constant('https://example.org/hook')
        : fc.stringMatching(new RegExp(String(schema.pattern)))
      : // Neither a way up nor a drive of Windows: what is a path must stay inside.
        fc.stringMatching(/^[a-z]([a-z0-9_/*. #-][a-z0-9_/*.: #-]{0,19})?$/).filter(text => !text.includes('..'))
  if (typeof schema.additionalProperties === 'object')
    return fc.dictionary(fc.stringMatching(/^[A-Za-z_][a-z0-9 .-]{0,8}$/), valueFor(schema.additionalProperties), {
      maxKeys: 3,
    })
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, child]) => [key, valueFor(child)]),
  )
  return fc.record(properties, { requiredKeys: schema.required ?? [] })
}
