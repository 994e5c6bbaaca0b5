import { useState } from 'preact/hooks'
import { Snippet } from '../components/code.tsx'
import { CopyButton } from '../components/copy.tsx'
import { DiffText } from '../components/diff-text.tsx'
import { FacetMenu } from '../components/facet-menu.tsx'
import { Choice, SearchField } from '../components/field.tsx'
import { Figures } from '../components/figures.tsx'
import { FindingLine } from '../components/finding-line.tsx'
import { List } from '../components/list.tsx'
import { Panel } from '../components/panel.tsx'
import { Parts } from '../components/parts.tsx'
import { Place, Places } from '../components/place.tsx'
import { PLACE_COLUMN } from '../components/place-column.tsx'
import { Prose } from '../components/prose.tsx'
import { Ranking } from '../components/ranking.tsx'
import { Answered, Section } from '../components/section.tsx'
import { SeverityBadge, SeverityTally } from '../components/severity.tsx'
import { State } from '../components/state.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { Warnings } from '../components/warnings.tsx'
import { WriteButton } from '../components/write-button.tsx'
import { SEVERITIES } from '../format.ts'
import { announce, showFault } from '../shell/said.ts'
import { Charts } from './design/charts.tsx'
import { Tokens } from './design/tokens.tsx'

const PLACES = [
  { file: 'services/orders/db.py', line: 118 },
  { file: 'web/src/preview.js', line: 41 },
]
const FINDING = { severity: 'high', title: 'SQL injection: untrusted input in a query', ...PLACES[0]! } as const
const DIFF = '@@ -1,2 +1,2 @@\n gate:\n-  fail_on: high\n+  fail_on: medium\n'

/** Every token and component of the dashboard over made-up data, for those who work on it. No page links here. */
export default function Design() {
  return (
    <>
      <Figures
        title="Design"
        figures={[
          { label: 'a figure', value: '1,204' },
          { label: 'a good one', value: '0', tone: 'good' },
          { label: 'a bad one', value: '7', tone: 'bad' },
        ]}
      >
        <p class="soft">Every token and component, over data that is made up.</p>
      </Figures>
      <div class="stacked">
        <Panel title="Tokens" class="padded">
          <Tokens />
        </Panel>
        <Words />
        <Controls />
        <Code />
        <Tables />
        <Charts />
      </div>
    </>
  )
}

function Words() {
  return (
    <Panel title="States" class="padded" aside={<span class="soft">aside</span>}>
      <p class="chips">
        {SEVERITIES.map(severity => (
          <SeverityBadge key={severity} severity={severity} />
        ))}
        <SeverityTally counts={{ critical: 2, low: 31 }} />
      </p>
      <p class="chips">
        {(['good', 'warn', 'bad', 'unknown'] as const).map(tone => (
          <State key={tone} state={tone} tone={tone} />
        ))}
        <span class="tag">tag</span>
        <Time at="2026-01-05T09:00:00Z" />
      </p>
      <Warnings texts={['Something was not looked at.']} />
      <Section section={{ state: 'missing', reason: 'There is no data yet.', command: 'svc scan' }}>
        {() => null}
      </Section>
      <Section section={{ state: 'unreadable', reason: 'The report cannot be read.', hint: 'Make it anew.' }}>
        {() => null}
      </Section>
      <Answered loaded={{ pending: true, version: 0 }}>{() => null}</Answered>
      <Parts
        parts={[
          { name: 'first', title: 'A part', count: 3 },
          { name: 'second', title: 'Another' },
        ]}
        shown="first"
      />
    </Panel>
  )
}

function Controls() {
  const [chosen, setChosen] = useState<readonly string[]>(['python'])
  const [choice, setChoice] = useState('one')
  return (
    <Panel title="Controls" class="padded">
      <div class="filters">
        <SearchField value="" label="Search" placeholder="Search" onSearch={() => {}} />
        <Choice
          label="A choice"
          value={choice}
          options={[
            ['one', 'The one'],
            ['other', 'The other'],
          ]}
          onChange={setChoice}
        />
        <FacetMenu
          title="Language"
          values={[
            { value: 'python', count: 12 },
            { value: 'go', count: 3 },
          ]}
          chosen={new Set(chosen)}
          onChange={setChosen}
        />
      </div>
      <p class="chips">
        <WriteButton class="primary" onClick={() => announce('It is done.')}>
          Do it
        </WriteButton>
        <WriteButton class="quiet" refusal="It cannot be done now." onClick={() => {}}>
          Refused
        </WriteButton>
        <WriteButton class="danger" onClick={() => showFault(new Error('It went wrong.'))}>
          Let it fail
        </WriteButton>
        <WriteButton class="quiet" busy onClick={() => {}}>
          Busy
        </WriteButton>
        <CopyButton text="copied" />
      </p>
    </Panel>
  )
}

function Code() {
  return (
    <Panel title="Code and places" class="padded">
      <Snippet snippet="    query(text + name)" line={118} column={5} end_line={118} end_column={23} />
      <DiffText text={DIFF} label="A change" />
      <Prose text={'Use a parameterized query, such as `execute(text, [name])`:\n\n    execute(text, [name])'} />
      <p>
        <Place {...PLACES[0]!} />
      </p>
      <Places places={PLACES} most={1} />
      <FindingLine finding={FINDING} href="#/design" more="and 3 like it" />
    </Panel>
  )
}

function Tables() {
  return (
    <>
      <Ranking
        title="Ranking"
        rows={SEVERITIES.map((severity, at) => ({
          label: `a rule, ${severity}`,
          severity,
          count: 50 - at * 9,
          href: `#/design?${severity}`,
        }))}
      />
      <Table columns={['Name', 'Figure']} label="A table">
        <tr>
          <td>row</td>
          <td class="number">12</td>
        </tr>
      </Table>
      <div>
        <List
          label="Places"
          one="place"
          rows={PLACES}
          columns={[PLACE_COLUMN]}
          initially="place"
          keyOf={({ file }) => file}
        />
      </div>
    </>
  )
}
