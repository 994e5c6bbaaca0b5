import { makeCodeFile } from '../../../engine/review/code/code-file.ts'
import type { ThreatDocument } from '../../../engine/review/threats/assess.ts'
import { buildModel } from '../../../engine/review/threats/build.ts'
import { readCompose } from '../../../engine/review/threats/compose.ts'
import { deriveThreats, NO_KNOWLEDGE } from '../../../engine/review/threats/derive.ts'
import { mergeThreats } from '../../../engine/review/threats/merge.ts'
import { addFile, makeUnit } from '../../../engine/review/threats/unit-facts.ts'

const CODE = `const app = require('express')()
const { Pool } = require('pg')
const amqp = require('amqplib')
const fs = require('fs')
app.get('/users', list)
app.post('/login', async (req, res) => { await fetch(req.body.url); fs.readFile(req.query.name, done) })
`

/** A threat model with every kind of element, one threat mitigated; `name` is that of the repository. */
export function threatDocument(name = 'shop'): ThreatDocument {
  const unit = makeUnit('')
  addFile(unit, makeCodeFile('app.js', CODE))
  const compose = {
    services: { proxy: { image: 'nginx', ports: ['80:80'] }, cache: { image: 'redis', ports: ['6379:6379'] } },
  }
  const model = buildModel({
    name,
    units: [unit],
    deployed: readCompose(compose, 'compose.yaml', () => 2),
    specified: new Map(),
  })
  const ids = new Set(model.elements.map(({ id }) => id))
  const threats = mergeThreats([], deriveThreats(model, NO_KNOWLEDGE), ids, new Set(), '2026-01-01T00:00:00Z')
  threats[0] = {
    ...threats[0]!,
    status: 'mitigated',
    mitigated_at: '2026-01-01T00:00:00Z',
    mitigation_note: 'in the proxy',
  }
  return {
    ...{ version: 1, generated_at: '2026-01-01T00:00:00Z', model, threats, unread: [], run_id: null },
    llm: { state: 'not_evaluated', dropped: 0 },
  }
}
