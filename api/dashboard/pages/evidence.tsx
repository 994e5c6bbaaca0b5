import { CopyButton } from '../components/copy.tsx'
import { Figures } from '../components/figures.tsx'
import { Panel } from '../components/panel.tsx'
import { SaveButton } from '../components/saving.tsx'
import { Answered, Section } from '../components/section.tsx'
import { State } from '../components/state.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { bytes, count, counted, day } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { href } from '../shell/route.ts'
import { type Evidence, EvidenceLine } from './compliance/evidence-line.tsx'

type Answer = Answers['GET /api/pages/evidence']

/** Pieces of evidence that are drawn. */
const LISTED = 300

/** What the server makes afresh when it is asked for, by the file that the command writes. */
const MADE_ON_DEMAND: Record<string, [path: (run: string) => string, type: string]> = {
  'report.html': [run => `/api/audit/runs/${encodeURIComponent(run)}/report`, 'text/html'],
  'compliance-report.html': [() => '/api/compliance-report', 'text/html'],
  'trust-center.html': [() => '/api/trust-center', 'text/html'],
  'licenses.json': [() => '/api/licenses', 'application/json'],
}

/** The documents that were made, how to make the others and verify them, and the evidence that people gave. */
export default function EvidencePage({ run }: PageProps) {
  const loaded = useAnswer('GET /api/pages/evidence', {})
  return <Answered loaded={loaded}>{answer => <Shown {...answer} run={run.id} />}</Answered>
}

function Shown({ documents, verify, evidence, run }: Answer & { run: string }) {
  const made = documents.filter(each => each.made).length
  const lost = evidence.data?.filter(({ state }) => state !== 'valid').length ?? 0
  return (
    <>
      <Figures
        title="Evidence and documents"
        figures={[
          { label: `of ${count(documents.length)} documents made`, value: count(made) },
          { label: 'pieces of evidence of people', value: evidence.data ? count(evidence.data.length) : '–' },
          ...(lost > 0 ? [{ label: 'do not count as they are', value: count(lost), tone: 'bad' as const }] : []),
        ]}
      />
      <Table columns={['Document', 'State', 'Made by', 'Download']} label="Documents">
        {documents.map(document => (
          <Document key={document.file} {...document} run={run} />
        ))}
      </Table>
      <p class="soft total">
        An attestation is verified by <code>{verify}</code> <CopyButton text={verify} />
      </p>
      <Panel title="Evidence of people" class="padded apart" aside={<a href={href('compliance')}>Controls</a>}>
        <Section section={evidence}>{data => <People evidence={data} />}</Section>
      </Panel>
    </>
  )
}

function Document({ file, title, command, made, bytes: size, at, run }: Answer['documents'][number] & { run: string }) {
  const onDemand = Object.hasOwn(MADE_ON_DEMAND, file) ? MADE_ON_DEMAND[file] : undefined
  return (
    <tr>
      <td>
        <span class="wide-cell">
          {title}
          <code class="under">{file}</code>
        </span>
      </td>
      <td>
        <State state={made ? 'made' : 'not made'} tone={made ? 'good' : 'unknown'} />
        {made && (
          <span class="under">
            {bytes(size!)}, <Time at={at!} />
          </span>
        )}
      </td>
      <td>
        <code class="command-line">{command}</code> <CopyButton text={command} />
      </td>
      <td>
        {onDemand ? (
          <SaveButton
            path={onDemand[0](run)}
            name={file}
            type={onDemand[1]}
            label={`Download ${title.toLowerCase()}`}
          />
        ) : (
          <span class="soft">{made ? 'in the output directory' : '–'}</span>
        )}
      </td>
    </tr>
  )
}

function People({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <>
      <ul class="entries">
        {evidence.slice(0, LISTED).map((entry, at) => (
          <EvidenceLine key={at} entry={entry} observed={`${day(entry.observed_at)} for ${entry.control}`} />
        ))}
      </ul>
      {evidence.length > LISTED && (
        <p class="soft total">{counted(evidence.length - LISTED, 'more piece', 'more pieces')} not shown.</p>
      )}
    </>
  )
}
