import { Figures } from '../components/figures.tsx'
import { List } from '../components/list.tsx'
import { type Part, Parts, partOf } from '../components/parts.tsx'
import { Places } from '../components/place.tsx'
import { Answered, Section } from '../components/section.tsx'
import { State } from '../components/state.tsx'
import { count, counted, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { Licenses } from './dependencies/licenses.tsx'
import { Vulnerabilities } from './dependencies/vulnerabilities.tsx'

type Answer = Answers['GET /api/pages/dependencies']
type Component = Answer['components'][number]
type Manifest = Answer['manifests'][number]

/** What the repository depends on: components with the reason for each, vulnerabilities, licenses, and the manifests that were read. */
export default function Dependencies({ query }: PageProps) {
  const loaded = useAnswer('GET /api/pages/dependencies', {})
  return <Answered loaded={loaded}>{answer => <Shown answer={answer} query={query} />}</Answered>
}

function Shown({ answer, query }: { answer: Answer; query: URLSearchParams }) {
  const { components, manifests, vulnerabilities, licenses } = answer
  const parts = [
    { name: 'components', title: 'Components', count: components.length },
    { name: 'vulnerabilities', title: 'Vulnerabilities', count: vulnerabilities.data?.vulnerabilities.length },
    { name: 'licenses', title: 'Licenses', count: licenses.data?.dependencies.length },
    { name: 'manifests', title: 'Manifests', count: manifests.length },
  ] as const satisfies readonly Part<string>[]
  const shown = partOf(query, parts)
  return (
    <>
      <Head {...answer} />
      <Parts parts={parts} shown={shown} />
      {shown === 'components' && <Components components={components} />}
      {shown === 'vulnerabilities' && (
        <Section section={vulnerabilities}>{data => <Vulnerabilities {...data} />}</Section>
      )}
      {shown === 'licenses' && <Section section={licenses}>{data => <Licenses {...data} />}</Section>}
      {shown === 'manifests' && <Manifests manifests={manifests} />}
    </>
  )
}

function Head({ components, manifests, vulnerabilities, licenses }: Answer) {
  const unread = manifests.filter(({ state }) => !isRead(state)).length
  const open = vulnerabilities.data?.vulnerabilities.filter(({ status }) => status === 'open').length
  const unknown = vulnerabilities.data?.not_evaluated.reduce((sum, { count: n }) => sum + n, 0) ?? 0
  return (
    <Figures
      title={counted(components.length, 'component')}
      figures={[
        { label: 'direct', value: count(components.filter(({ direct }) => direct).length) },
        {
          label: 'open vulnerabilities',
          value: open === undefined ? '–' : count(open),
          tone: open ? 'bad' : undefined,
        },
        ...(unknown > 0 ? [{ label: 'not checked for any', value: count(unknown) }] : []),
        { label: 'copyleft', value: licenses.data ? count(licenses.data.copyleft) : '–' },
        { label: 'without a known license', value: licenses.data ? count(licenses.data.unknown) : '–' },
        ...(unread > 0 ? [{ label: 'manifests not read', value: count(unread), tone: 'bad' as const }] : []),
      ]}
    />
  )
}

function Components({ components }: { components: readonly Component[] }) {
  if (components.length === 0) return <p class="soft">No manifest or lock file of this repository names a component.</p>
  return (
    <List
      label="Components"
      one="component"
      rows={components}
      initially="name"
      keyOf={({ id }) => id}
      textOf={row =>
        [row.name, row.version, row.ecosystem, row.scope, row.license, row.direct ? 'direct' : 'transitive'].join(' ')
      }
      columns={[
        {
          name: 'name',
          title: 'Component',
          by: ({ name }) => name,
          cell: ({ name, ecosystem }) => (
            <>
              <b class="breaks component">{name}</b>
              <span class="under">{ecosystem}</span>
            </>
          ),
        },
        { name: 'version', title: 'Version', by: ({ version }) => version, cell: row => <Version {...row} /> },
        { name: 'scope', title: 'Scope', by: ({ scope }) => scope, cell: ({ scope }) => words(scope) },
        {
          name: 'why',
          title: 'Why it is here',
          by: ({ why }) => why.length,
          cell: ({ direct, why }) => <Why direct={direct} why={why} />,
        },
        {
          name: 'license',
          title: 'License',
          by: ({ license }) => license,
          cell: ({ license }) => license ?? <Unknown />,
        },
        { name: 'places', title: 'Named in', cell: ({ locations }) => <Places places={locations} most={2} /> },
      ]}
    />
  )
}

function Version({ version, requirement }: Component) {
  if (version !== undefined) return <code>{version}</code>
  return (
    <>
      <Unknown />
      {requirement && <code class="under">{requirement}</code>}
    </>
  )
}

function Unknown() {
  return <State state="unknown" tone="unknown" />
}

function Why({ direct, why }: Pick<Component, 'direct' | 'why'>) {
  if (direct) return <>direct</>
  if (why.length === 0) return <Unknown />
  return <span class="wide-cell why-path">{why.join(' › ')}</span>
}

function isRead(state: string): boolean {
  return state === 'read'
}

function Manifests({ manifests }: { manifests: readonly Manifest[] }) {
  if (manifests.length === 0) return <p class="soft">There is no manifest or lock file.</p>
  return (
    <List
      label="Manifests"
      one="manifest"
      rows={manifests}
      initially="file"
      keyOf={({ file }) => file}
      columns={[
        { name: 'file', title: 'File', by: ({ file }) => file, cell: ({ file }) => <Places places={[{ file }]} /> },
        {
          name: 'state',
          title: 'State',
          by: ({ state }) => state,
          cell: ({ state }) => <State state={state} tone={isRead(state) ? 'good' : 'unknown'} />,
        },
        { name: 'detail', title: 'Detail', cell: ({ detail }) => detail ?? '' },
      ]}
    />
  )
}
