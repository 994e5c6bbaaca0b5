import { describe, expect, it } from 'vitest'
import { makeCodeFile } from '../../../engine/review/code/code-file.ts'
import { foldLine } from '../../../engine/review/design/find.ts'
import { buildModel } from '../../../engine/review/threats/build.ts'
import { deriveThreats, NO_KNOWLEDGE } from '../../../engine/review/threats/derive.ts'
import { mergeThreats } from '../../../engine/review/threats/merge.ts'
import type { DataFlowModel, FoundThreat, Threat } from '../../../engine/review/threats/model.ts'
import { digestQuoted, refreshQuoted } from '../../../engine/review/threats/quoted.ts'
import { STRIDE_TABLE } from '../../../engine/review/threats/stride-table.ts'
import { addFile, makeUnit } from '../../../engine/review/threats/unit-facts.ts'

const CODE = `const app = require('express')()
const { Pool } = require('pg')
app.post('/login', async (req, res) => {
  const user = await find(req.body.name)
  cache.set(req.body.name, user)
  res.json(user)
})
`
const LINE = 5
const KEEP = new Set(['import', 'llm'] as const)

function model(code: string): DataFlowModel {
  const unit = makeUnit('')
  addFile(unit, makeCodeFile('app.js', code))
  return buildModel({ name: 'shop', units: [unit], deployed: [], specified: new Map() })
}

const merge = (stored: readonly Threat[], found: readonly FoundThreat[], code = CODE) => {
  const now = model(code)
  const ids = new Set([...now.elements, ...now.flows].map(({ id }) => id))
  return mergeThreats(stored, found, ids, KEEP, 'now', threat => refreshQuoted(threat, now, () => code))
}
const mitigated = (found: readonly FoundThreat[]): Threat[] =>
  merge([], found).map(each => ({ ...each, status: 'mitigated', mitigation_note: 'done' }))
const states = (threats: readonly Threat[]) => [...new Set(threats.map(({ status }) => status))]

/** An answer of a language model about the line of the cache. */
function answer(title: string, code = CODE): FoundThreat {
  const lines = code.split('\n')
  const line = lines.findIndex(text => text.includes('cache.set')) + 1 || LINE
  const subject = model(code).elements.find(({ id }) => id === 'process:root')!
  return {
    ...{ stride: 'tampering', rule: 'llm', source: 'llm', element: subject.id, component: subject.name, title },
    ...{ description: '', attack_vector: '', impact: '', likelihood: 'high', severity: 'high', mitigation: '' },
    ...{ cwe: [], rules: [], findings: [], controls_seen: [], confidence: 0.7 },
    ...{ places: [{ file: 'app.js', line, what: 'named by the model' }], evidence: foldLine(lines[line - 1]) },
    digest: digestQuoted(subject, lines, line),
  }
}

/** 200 ways to lay the same program out: comments, blank lines, indentation, names that nothing is modeled by. */
const LAYOUTS = Array.from({ length: 200 }, (_, index) => {
  const above = index % 2 === 0 ? '// a note\n'.repeat(1 + (index % 7)) : '\n'.repeat(1 + (index % 5))
  return `${above}${CODE.replace(/^ {2}/gm, ' '.repeat(1 + (index % 9)))}${index % 3 === 0 ? `// end ${index}\n` : ''}`
})
/** 200 changes of what the program does. */
const CHANGES = Array.from({ length: 200 }, (_, index) => {
  if (index % 4 === 0) return `${CODE}app.get('/more${index}', list)\n`
  if (index % 4 === 1) return `${CODE}app.delete('/users/:id${index}', remove)\n`
  if (index % 4 === 2) return CODE.replace("'/login'", `'/login${index}'`)
  return `${CODE}app.use(session({ secret: load(${index}) }))\napp.put('/s${index}', x)\n`
})

describe('a mitigated threat of the tables', () => {
  const found = deriveThreats(model(CODE), NO_KNOWLEDGE)
  const stored = mitigated(found)

  it('stays mitigated in 200 layouts of the same program', () => {
    for (const code of LAYOUTS)
      expect(states(merge(stored, deriveThreats(model(code), NO_KNOWLEDGE), code))).toEqual(['mitigated'])
  })

  it('stays mitigated where its row is worded otherwise', () => {
    const table = STRIDE_TABLE.map(row => ({
      ...row,
      title: `In other words: ${row.title}`,
      description: 'Other words.',
    }))
    expect(states(merge(stored, deriveThreats(model(CODE), NO_KNOWLEDGE, table)))).toEqual(['mitigated'])
  })

  it('is pending again, with its note, after each of 200 changes of its program', () => {
    for (const code of CHANGES) {
      const own = merge(stored, deriveThreats(model(code), NO_KNOWLEDGE), code).filter(
        each => each.element === 'process:root',
      )
      expect(own.length).toBeGreaterThan(3)
      for (const each of own)
        if (stored.some(({ id }) => id === each.id))
          expect(each).toMatchObject({ status: 'pending', changed_since_mitigation: true, mitigation_note: 'done' })
    }
  })
})

describe('a mitigated threat of a language model', () => {
  const stored = mitigated([answer('Cache poisoning by the name of a user')])
  const SUBJECTS = [
    'Cache poisoning',
    'A poisoned cache',
    'Poisoning of the cache',
    'Attackers poison the cache',
    'Cache entries poisoned',
  ]
  const WAYS = [
    'by the name of a user',
    'through the user name',
    'with a chosen name',
    'by any user',
    'via names of users',
  ]
  const ENDS = [
    '',
    ' of the request',
    ' at login',
    ' in memory',
    ' for everyone',
    ' without a limit',
    ' of another',
    ' again',
  ]
  const wordings = SUBJECTS.flatMap(subject => WAYS.flatMap(way => ENDS.map(end => `${subject} ${way}${end}`)))

  it('stays one threat and mitigated in 200 wordings', () => {
    expect(wordings).toHaveLength(200)
    for (const title of wordings) {
      const again = merge(stored, [answer(title)])
      expect(again, title).toHaveLength(1)
      expect(again[0], title).toMatchObject({ status: 'mitigated', mitigation_note: 'done' })
    }
  })

  it('is pending again after each of 200 changes of the code that it quotes, whether it is named again or not', () => {
    for (let index = 0; index < 200; index++) {
      const lines = CODE.split('\n')
      if (index % 3 === 0) lines.splice(3 + (index % 2), 0, `  check${index}(req)`)
      else if (index % 3 === 1) lines[3] = `  const user = await find(req.body.name, ${index})`
      else lines[5] = `  res.json({ user, at: ${index} })`
      const code = lines.join('\n')
      for (const found of [[answer('Cache poisoning by the name of a user', code)], []])
        expect(merge(stored, found, code), code).toMatchObject([
          { status: 'pending', changed_since_mitigation: true, mitigation_note: 'done' },
        ])
    }
  })

  it('is gone with its code, and another threat about the same code is its own', () => {
    expect(merge(stored, [], CODE.replace(/.*cache\.set.*\n/, ''))).toEqual([])
    const other = merge(stored, [answer('Requests without end exhaust memory')])
    expect(other.map(({ status }) => status).sort()).toEqual(['mitigated', 'pending'])
  })
})
