import { useMemo } from 'preact/hooks'
import { Choice } from '../components/field.tsx'
import { Heading } from '../components/heading.tsx'
import { type Column, List } from '../components/list.tsx'
import { Answered } from '../components/section.tsx'
import { SEVERITY_COLUMN } from '../components/severity-column.tsx'
import { rankOf } from '../components/worst.ts'
import { count } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { change, href } from '../shell/route.ts'

type Answer = Answers['GET /api/pages/rules']
type Rule = Answer['rules'][number]

/** Languages of a rule that a row names. */
const LANGUAGES = 3

/** Every rule, found by any word of its row, with how many findings it has. */
export default function Rules({ query }: PageProps) {
  const loaded = useAnswer('GET /api/pages/rules', {})
  return (
    <>
      <Heading title="Rules" />
      <Answered loaded={loaded}>{answer => <Listed answer={answer} pack={query.get('pack') ?? ''} />}</Answered>
    </>
  )
}

function Listed({ answer: { rules, packs, counts }, pack }: { answer: Answer; pack: string }) {
  const found = counts.data?.findings
  const rows = useMemo(
    () =>
      rules
        .filter(({ pack_id }) => pack === '' || pack_id === pack)
        .sort((a, b) => rankOf(b.severity)! - rankOf(a.severity)! || a.id.localeCompare(b.id)),
    [rules, pack],
  )
  return (
    <List
      label="Rules"
      one="rule"
      rows={rows}
      columns={columnsOf(found)}
      initially="-severity"
      textOf={textOf}
      keyOf={({ id }) => id}
    >
      <Choice
        label="Pack"
        value={pack}
        options={[
          ['', 'All packs'],
          ...packs.map(({ id, name, rules: n, state }): [string, string] => [id, `${name} (${count(n)}, ${state})`]),
        ]}
        onChange={value => change({ pack: value })}
      />
    </List>
  )
}

/** The columns; how many findings a rule has is unknown where no run says it. */
function columnsOf(found: Readonly<Record<string, number>> | undefined): Column<Rule>[] {
  const countOf = ({ id }: Rule) => (found ? (found[id] ?? 0) : undefined)
  return [
    SEVERITY_COLUMN,
    {
      name: 'rule',
      title: 'Rule',
      by: ({ title }) => title,
      cell: ({ id, title }) => (
        <>
          <a class="link" href={href('rule', { id })}>
            {title}
          </a>
          <code class="under">{id}</code>
        </>
      ),
    },
    {
      name: 'findings',
      title: 'Findings',
      number: true,
      by: countOf,
      cell: row => <Findings id={row.id} n={countOf(row)} />,
    },
    {
      name: 'languages',
      title: 'Languages',
      by: ({ languages }) => languages.join(', '),
      cell: ({ languages }) => <Languages names={languages} />,
    },
    { name: 'pack', title: 'Pack', by: ({ pack_id }) => pack_id, cell: ({ pack_id }) => pack_id },
    { name: 'weakness', title: 'Weakness', cell: ({ cwe }) => <span class="soft">{cwe.join(', ')}</span> },
    {
      name: 'fix',
      title: 'Fix',
      by: ({ fixable }) => (fixable ? 0 : 1),
      cell: ({ fixable }) => (fixable ? 'certain' : ''),
    },
  ]
}

/** The first languages of a rule; the others where a pointer rests, and on the rule's page. */
function Languages({ names }: { names: readonly string[] }) {
  const more = names.length - LANGUAGES
  return (
    <span title={names.join(', ')}>
      {names.slice(0, LANGUAGES).join(', ')}
      {more > 0 && ` and ${count(more)} more`}
    </span>
  )
}

function Findings({ id, n }: { id: string; n: number | undefined }) {
  if (n === undefined) return <>–</>
  return n === 0 ? <>0</> : <a href={href('findings', { rule: id })}>{count(n)}</a>
}

function textOf(rule: Rule): string {
  return [rule.id, rule.title, rule.pack_id, rule.severity, rule.type, ...rule.languages, ...rule.cwe].join(' ')
}
