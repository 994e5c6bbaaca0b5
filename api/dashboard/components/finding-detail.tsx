import { useState } from 'preact/hooks'
import { words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import { ask } from '../server/request.ts'
import { href } from '../shell/route.ts'
import { announce, showFault } from '../shell/said.ts'
import { Snippet } from './code.tsx'
import { CopyButton } from './copy.tsx'
import { applicationOf, FixDiff } from './fix-diff.tsx'
import { Path } from './path.tsx'
import { Prose } from './prose.tsx'
import { Answered } from './section.tsx'
import { SeverityBadge } from './severity.tsx'
import { SuppressDialog } from './suppress-dialog.tsx'
import { Time } from './time.tsx'
import { WriteButton } from './write-button.tsx'

type Answer = Answers['GET /api/findings/{id}']
type Finding = Answer['finding']

/** A finding: what, where, why, the way of the input, how to fix it, and what a person can do about it. */
export function FindingDetail({
  id,
  run,
  page = false,
}: {
  id: string
  run: string
  /** Whether it is a page of its own, whose title is the finding's. */
  page?: boolean
}) {
  const loaded = useAnswer('GET /api/findings/{id}', { id, run_id: run })
  return <Answered loaded={loaded}>{answer => <Detail {...answer} page={page} />}</Answered>
}

function Detail({ finding, first_seen, page }: Answer & { page: boolean }) {
  const Title = page ? 'h1' : 'h2'
  return (
    <article class="detail" aria-labelledby="finding-title">
      <header>
        <p class="line">
          <SeverityBadge severity={finding.severity} />
          {finding.status !== 'open' && <span class="tag">{finding.status}</span>}
          {finding.in_test && <span class="tag">test</span>}
          {finding.file_class && <span class="tag">{finding.file_class}</span>}
        </p>
        <Title id="finding-title">{finding.title}</Title>
        <p>
          <code class="place">
            <Path path={finding.file} line={finding.line} />
          </code>
        </p>
      </header>
      <Actions finding={finding} />
      <p class="why">{finding.message}</p>
      <Snippet {...finding} />
      {finding.flow && <Flow steps={finding.flow} file={finding.file} />}
      {finding.remediation && (
        <section class="mend" aria-label="How to fix it">
          <p class="label">How to fix it</p>
          <Prose text={finding.remediation} />
        </section>
      )}
      {finding.fix && <Fix finding={finding} />}
      {finding.category === 'secret' && (
        <p>
          <a href={href('secrets')}>All places of this secret, and whether it is live</a>
        </p>
      )}
      {finding.suppression && (
        <p class="soft">
          Suppressed: {finding.suppression.reason}
          {finding.suppression.approved_by && `, approved by ${finding.suppression.approved_by}`}
          {finding.suppression.expires && `, until ${finding.suppression.expires}`}
        </p>
      )}
      <Meta finding={finding} />
      <p class="soft">
        First seen{' '}
        {first_seen ? (
          <>
            <Time at={first_seen.at} /> in{' '}
            <a href={href('overview', { run: first_seen.run_id })}>{first_seen.run_id}</a>
          </>
        ) : (
          'in a run that is not recorded'
        )}
      </p>
    </article>
  )
}

function Actions({ finding }: { finding: Finding }) {
  const [open, setOpen] = useState(false)
  return (
    <div class="actions">
      <CopyButton label="Copy as Markdown" text={() => formatMarkdown(finding)} />
      <CopyButton label="Copy link" text={() => linkTo(finding)} />
      {finding.status === 'open' && (
        <WriteButton class="quiet small" onClick={() => setOpen(true)}>
          Suppress…
        </WriteButton>
      )}
      {open && (
        <SuppressDialog places={[{ rule: finding.rule_id, file: finding.file }]} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}

function linkTo({ id }: Finding): string {
  return new URL(href('finding', { id }), location.href).href
}

/** The finding as Markdown for an issue or a message. Code stands in a fence that it cannot close. */
export function formatMarkdown({
  title,
  severity,
  file,
  line,
  message,
  snippet,
  remediation,
  rule_id,
}: Finding): string {
  const longest = Math.max(2, ...[...snippet.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return [
    `### ${title} (${severity})`,
    `${file}:${line}, rule ${rule_id}`,
    message,
    `${fence}\n${snippet}\n${fence}`,
    remediation,
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

function Flow({ steps, file }: { steps: NonNullable<Finding['flow']>; file: string }) {
  return (
    <section class="flow" aria-label="Data flow">
      <p class="label">Data flow</p>
      <ol>
        {steps.map((step, at) => (
          <li key={at} class={at === 0 ? 'source' : at === steps.length - 1 ? 'sink' : undefined}>
            <span>{step.label}</span>
            <code class="place">
              {step.file === file ? 'line' : <Path path={step.file} />} <b>{step.line}</b>
            </code>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Fix({ finding }: { finding: Finding }) {
  const [state, setState] = useState<'ready' | 'applying' | 'applied'>('ready')
  const application = applicationOf(finding)
  const apply = async () => {
    setState('applying')
    try {
      await ask('POST /api/apply-fix', application!)
      setState('applied')
      announce('The fix was applied. Scan again to see what is left.')
    } catch (error) {
      setState('ready')
      showFault(error)
    }
  }
  return (
    <section class="mend" aria-label="Replacement">
      <p class="label">Replacement</p>
      <FixDiff finding={finding} />
      {application && (
        <WriteButton
          class="quiet small"
          busy={state === 'applying'}
          refusal={state === 'applied' ? 'It is applied.' : undefined}
          onClick={apply}
        >
          {state === 'applied' ? 'Applied: scan again' : 'Apply the fix'}
        </WriteButton>
      )}
    </section>
  )
}

function Meta({ finding }: { finding: Finding }) {
  return (
    <ul class="meta">
      <li>
        <a href={href('rule', { id: finding.rule_id })}>
          <code>{finding.rule_id}</code>
        </a>
      </li>
      <li>confidence {Math.round(finding.confidence * 100)} %</li>
      <li>{words(finding.category)}</li>
      {finding.cwe.map(cwe => (
        <li key={cwe}>
          <a
            href={`https://cwe.mitre.org/data/definitions/${cwe.replace('CWE-', '')}.html`}
            rel="noreferrer"
            target="_blank"
          >
            {cwe}
          </a>
        </li>
      ))}
      {finding.controls.map(({ framework, control }) => (
        <li key={`${framework} ${control}`}>
          {framework} {control}
        </li>
      ))}
      {finding.base_severity !== finding.severity && <li>was {finding.base_severity}</li>}
      {finding.zone && <li>zone {finding.zone}</li>}
      {finding.agent && <li>by {finding.agent}</li>}
    </ul>
  )
}
