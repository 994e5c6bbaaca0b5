import { describe, expect, it } from 'vitest'
import { type DesignDecision, type FoundDecision, makeId } from '../../../engine/review/design/decision.ts'
import { findDecisions } from '../../../engine/review/design/find.ts'
import { digestAround, mergeDecisions } from '../../../engine/review/design/merge.ts'
import fc from '../../made/property.ts'

const NOW = '2026-01-01T00:00:00Z'
const CODE = `export async function save(user) {\n  const id = await store.put(user)\n  cache.set(id, user)\n  return id\n}\n`

const findIn = async (path: string, after: string) =>
  (await findDecisions([{ path, in_test: false, after }], () => new Set())).decisions

/** A decision of a model about the function of CODE. */
const answer = (summary: string, code = CODE): FoundDecision => ({
  ...{ category: 'state-management', kind: 'llm', source: 'llm', summary, file: 'a.js', line: 3, end_line: 3 },
  ...{ symbol: 'save', alternatives: [], risk: '', risk_level: 'medium', question: '', confidence: 0.6 },
  ...{ evidence: 'cache.set(id, user)', code_digest: digestAround(code.split('\n'), 3) },
})

const acknowledged = (found: FoundDecision): DesignDecision => ({
  ...{ ...found, id: makeId('DD', found), status: 'acknowledged', first_seen: NOW, note: 'agreed' },
})

const merge = (stored: DesignDecision[], found: FoundDecision[], text = CODE) =>
  mergeDecisions(stored, found, () => text, NOW)

/** Ways to say that the user is cached after the write without a limit. */
const SUBJECTS = ['The saved user', 'Each user', 'The user that was stored', 'A user record', 'Every stored user']
const VERBS = ['is cached', 'is put into the cache', 'goes to a cache', 'is kept in the cache', 'stays in the cache']
const ENDS = [
  'after the write',
  'without a limit',
  'with no expiry',
  'for the life of the process',
  'right after storing',
]
const STARTS = ['', 'Note that ', 'Caching: ', 'Decision: ', 'By design, ', 'Here ', 'Apparently, ', 'In save, ']

describe('200 rewordings of an answer', () => {
  const wordings = STARTS.flatMap(start =>
    SUBJECTS.flatMap(subject => VERBS.flatMap(verb => ENDS.map(end => `${start}${subject} ${verb} ${end}`))),
  )
  it.each(
    wordings
      .filter((_, index) => index % 5 === 0)
      .slice(0, 200)
      .map(text => [text]),
  )('%s', wording => {
    const { decisions } = merge([acknowledged(answer('The user is cached after the write'))], [answer(wording)])
    expect(decisions).toHaveLength(1)
    expect(decisions[0]).toMatchObject({ status: 'acknowledged', note: 'agreed' })
  })
})

it('200 real changes of the code lose the acknowledgment', () => {
  const edits = Array.from({ length: 200 }, (_, index) => {
    const lines = CODE.split('\n')
    const at = 1 + (index % 3)
    if (index % 4 === 0) lines.splice(at, 0, `  check${index}(user)`)
    else if (index % 4 === 1) lines[1] = `  const id = await store.put(user, ${index})`
    else if (index % 4 === 2) lines[3] = `  return { id, at: ${index} }`
    else lines[0] = `export async function save(user, option${index}) {`
    return lines.join('\n')
  })
  for (const text of edits) {
    const line = text.split('\n').findIndex(each => each.includes('cache.set')) + 1
    const found = { ...answer('The user is cached after the write'), line, end_line: line }
    found.code_digest = digestAround(text.split('\n'), line)
    const again = merge([acknowledged(answer('The user is cached after the write'))], [found], text)
    expect(again.decisions.map(({ status }) => status)).toEqual(['pending'])
    expect(again.decisions[0]!.changed_since_acknowledgment).toBe(true)
    // The same where nobody reviews again.
    const read = merge([acknowledged(answer('The user is cached after the write'))], [], text)
    expect(read.decisions.map(({ status }) => status)).toEqual(['pending'])
  }
})

it('another decision about the same code does not inherit the acknowledgment', () => {
  const other = answer('No test shows what happens when two requests arrive together')
  const { decisions } = merge([acknowledged(answer('The user is cached after the write'))], [other])
  expect(decisions.map(({ status }) => status).sort()).toEqual(['acknowledged', 'pending'])
})

describe('an acknowledged endpoint', () => {
  const code = "const app = express()\napp.get('/users', (req, res) => {\n  res.json(list())\n})\n"
  const stored = async () => (await findIn('a.js', code)).map(acknowledged)

  it('stays acknowledged while lines are added above, comments change and white space does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.nat(6), async (above, indent) => {
        const moved = `${'// a note\n'.repeat(above)}${code.replace(/^ {2}/gm, ' '.repeat(indent + 1))}`
        const { decisions } = merge(await stored(), await findIn('a.js', moved), moved)
        expect(decisions.map(({ status }) => status)).toEqual(['acknowledged'])
        expect(decisions[0]!.line).toBe(above + 2)
      }),
      { numRuns: 40 },
    )
  })

  it('is pending again when its handler changes', async () => {
    const changed = code.replace('list()', 'listAll()')
    const { decisions } = merge(await stored(), await findIn('a.js', changed), changed)
    expect(decisions[0]).toMatchObject({ status: 'pending', changed_since_acknowledgment: true })
  })

  it('is obsolete when it is removed', async () => {
    expect(merge(await stored(), [], 'const app = express()\n')).toMatchObject({ decisions: [], obsolete: 1 })
  })
})

it('two equal swallowed errors have ids of their own', async () => {
  const code = 'function a() {\n  try { b() } catch (e) {}\n  try { b() } catch (e) {}\n}\n'
  const { decisions } = merge([], await findIn('a.js', code), code)
  expect(new Set(decisions.map(({ id }) => id)).size).toBe(2)
  for (const { id } of decisions) expect(id).toMatch(/^DD-[0-9a-f]{10}$/)
})
