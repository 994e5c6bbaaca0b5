import { useState } from 'preact/hooks'
import { Answered } from '../components/section.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { Table } from '../components/table.tsx'
import { count, counted, SEVERITIES } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import { href } from '../shell/route.ts'

type Answer = Answers['GET /api/pages/rules']
type Rule = Answer['rules'][number]

/** Rules that are drawn at once. */
const DRAWN = 300

/** Every rule, found by any word of its row, with how many findings it has. */
export default function Rules() {
  const loaded = useAnswer('GET /api/pages/rules', {})
  return <Answered loaded={loaded}>{answer => <List {...answer} />}</Answered>
}

function List({ rules, packs, counts }: Answer) {
  const [wanted, setWanted] = useState('')
  const [pack, setPack] = useState('')
  const terms = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = [...rules]
    .filter(rule => pack === '' || rule.pack_id === pack)
    .filter(rule => terms.every(term => textOf(rule).includes(term)))
    .sort(worstFirst)
  return (
    <>
      <h1 class="visually-hidden">Rules</h1>
      <div class="filters">
        <input
          type="search"
          placeholder="Search rules"
          aria-label="Search rules"
          value={wanted}
          onInput={event => setWanted(event.currentTarget.value)}
        />
        <label class="choice">
          <span class="visually-hidden">Pack</span>
          <select value={pack} onChange={event => setPack(event.currentTarget.value)}>
            <option value="">All packs</option>
            {packs.map(each => (
              <option key={each.id} value={each.id}>
                {each.name} ({count(each.rules)}, {each.state})
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="soft total" role="status">
        {counted(matching.length, 'rule')}
        {matching.length > DRAWN && `, the first ${count(DRAWN)} shown: search for the others`}
      </p>
      <Table columns={['Severity', 'Rule', 'Findings', 'Languages', 'Pack', 'Weakness', 'Fix']} label="Rules">
        {matching.slice(0, DRAWN).map(rule => (
          <tr key={rule.id}>
            <td>
              <SeverityBadge severity={rule.severity} />
            </td>
            <td>
              <a class="link" href={href('rule', { id: rule.id })}>
                {rule.title}
              </a>
              <code class="under">{rule.id}</code>
            </td>
            <td class="number">
              {counts.state === 'ready' ? <Findings rule={rule.id} n={counts.data!.findings[rule.id]} /> : '–'}
            </td>
            <td>{rule.languages.join(', ')}</td>
            <td>{rule.pack_id}</td>
            <td class="soft">{rule.cwe.join(', ')}</td>
            <td>{rule.fixable ? 'certain' : ''}</td>
          </tr>
        ))}
      </Table>
    </>
  )
}

function Findings({ rule, n = 0 }: { rule: string; n?: number }) {
  return n === 0 ? <>0</> : <a href={href('findings', { rule })}>{count(n)}</a>
}

function worstFirst(a: Rule, b: Rule): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.id.localeCompare(b.id)
}

function textOf(rule: Rule): string {
  return [rule.id, rule.title, rule.pack_id, rule.severity, rule.type, ...rule.languages, ...rule.cwe]
    .join(' ')
    .toLowerCase()
}
