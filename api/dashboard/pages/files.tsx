import { useMemo } from 'preact/hooks'
import { type Area, Treemap } from '../charts/treemap.tsx'
import { Figures } from '../components/figures.tsx'
import { type Column, List } from '../components/list.tsx'
import { Path } from '../components/path.tsx'
import { Answered, Section } from '../components/section.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { rankOf } from '../components/worst.ts'
import { bytes, count, counted } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { href } from '../shell/route.ts'
import { listBelow, type Measured, measure, type Node } from './files/tree.ts'

type Data = NonNullable<Answers['GET /api/pages/files']['data']>

/** Areas of the map, and parts within each, that are drawn. */
const AREAS = 60
const INNER = 40

/** The scanned files by size and worst finding, as a map and as a table with the metrics of each. */
export default function Files({ run, query }: PageProps) {
  const loaded = useAnswer('GET /api/pages/files', { run_id: run.id })
  return (
    <Answered loaded={loaded}>
      {page => (
        <Section section={page} title="Files">
          {data => <Shown data={data} query={query} />}
        </Section>
      )}
    </Answered>
  )
}

function Shown({ data, query }: { data: Data; query: URLSearchParams }) {
  const files = useMemo(() => measure(data), [data])
  const given = query.get('in') ?? ''
  const directory = given === '' || given.endsWith('/') ? given : `${given}/`
  const below = useMemo(() => files.filter(({ path }) => path.startsWith(directory)), [files, directory])
  return (
    <>
      <Figures
        title={counted(below.length, 'file')}
        figures={[
          { label: 'lines', value: count(sum(below, ({ lines }) => lines)) },
          { label: 'size', value: bytes(sum(below, file => file.bytes)) },
          { label: 'files with findings', value: count(below.filter(({ findings }) => findings > 0).length) },
          { label: 'findings', value: count(sum(below, ({ findings }) => findings)) },
        ]}
      />
      <Crumbs directory={directory} />
      {below.length === 0 ? (
        <p class="soft">No scanned file lies there.</p>
      ) : (
        <FileMap files={below} directory={directory} />
      )}
      <Table files={below} directory={directory} />
    </>
  )
}

function sum(files: readonly Measured[], of: (file: Measured) => number | null): number {
  return files.reduce((total, file) => total + (of(file) ?? 0), 0)
}

function Crumbs({ directory }: { directory: string }) {
  const parts = directory.split('/').filter(Boolean)
  return (
    <p class="crumbs">
      {parts.length > 0 ? <a href={href('files')}>all files</a> : <b>all files</b>}
      {parts.map((part, at) => (
        <span key={at}>
          {' / '}
          {at === parts.length - 1 ? (
            <b>{part}</b>
          ) : (
            <a href={href('files', { in: `${parts.slice(0, at + 1).join('/')}/` })}>{part}</a>
          )}
        </span>
      ))}
    </p>
  )
}

function FileMap({ files, directory }: { files: readonly Measured[]; directory: string }) {
  const nodes = listBelow(files, directory).sort((a, b) => b.lines - a.lines)
  const left = nodes.length - AREAS
  return (
    <>
      <Treemap
        areas={nodes.slice(0, AREAS).map(node => areaOf(node, files))}
        label="Files by lines, in the color of their worst finding; the table below has the figures"
      />
      <p class="legend soft">
        <span>Area: lines. Color: worst finding</span>
        {(['none', 'low', 'medium', 'high', 'critical'] as const).map(name => (
          <span key={name} class={`key ${name}`}>
            {name}
          </span>
        ))}
        {left > 0 && <span>{counted(left, 'smaller entry', 'smaller entries')} not drawn</span>}
      </p>
    </>
  )
}

function areaOf(node: Node, files: readonly Measured[]): Area {
  const isFile = node.file !== undefined
  return {
    key: node.path,
    name: node.name,
    label: describe(node),
    size: node.lines,
    worst: node.worst,
    href: isFile ? href('findings', { file: node.path, status: 'all' }) : href('files', { in: node.path }),
    inner: isFile
      ? []
      : listBelow(files, node.path)
          .sort((a, b) => b.lines - a.lines)
          .slice(0, INNER)
          .map(part => ({
            key: part.path,
            name: part.name,
            label: describe(part),
            size: part.lines,
            worst: part.worst,
          })),
  }
}

function describe({ path, file, files, lines, findings, worst }: Node): string {
  return [
    path,
    file ? undefined : counted(files, 'file'),
    counted(lines, 'line'),
    findings > 0 ? `${counted(findings, 'finding')}${worst ? `, worst ${worst}` : ''}` : 'no finding',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Metrics of the table with their titles. */
const METRICS = {
  lines: 'Lines',
  code_lines: 'Code',
  functions: 'Functions',
  max_cyclomatic: 'Cyclomatic',
  max_cognitive: 'Cognitive',
  max_nesting: 'Nesting',
  longest_function: 'Longest function',
} as const satisfies Partial<Record<keyof Measured, string>>

function Table({ files, directory }: { files: readonly Measured[]; directory: string }) {
  const metrics = Object.entries(METRICS).map(
    ([name, title]): Column<Measured> => ({
      ...{ name, title, number: true },
      by: file => file[name as keyof typeof METRICS],
      cell: file => metric(file[name as keyof typeof METRICS]),
    }),
  )
  return (
    <List
      label="Files"
      one="file"
      rows={files}
      initially="-findings"
      keyOf={({ path }) => path}
      textOf={({ path, language, worst }) => `${path} ${language} ${worst ?? ''}`}
      columns={[
        {
          name: 'path',
          title: 'File',
          by: ({ path }) => path,
          cell: ({ path, language }) => (
            <span class="wide-cell">
              <code class="breaks-anywhere">
                <Path path={path.slice(directory.length)} />
              </code>
              <span class="under">{language}</span>
            </span>
          ),
        },
        {
          name: 'findings',
          title: 'Findings',
          number: true,
          by: ({ findings }) => findings,
          cell: ({ path, findings }) =>
            findings > 0 ? <a href={href('findings', { file: path, status: 'all' })}>{count(findings)}</a> : 0,
        },
        {
          name: 'worst',
          title: 'Worst',
          number: true,
          by: ({ worst }) => worst && rankOf(worst),
          cell: ({ worst }) => worst && <SeverityBadge severity={worst} />,
        },
        ...metrics,
      ]}
    />
  )
}

/** A metric; a dash where it was not measured, which is not 0. */
function metric(value: number | null) {
  return value === null ? <span title="not measured">–</span> : count(value)
}
