import { Trend } from '../charts/trend.tsx'
import { FindingLine } from '../components/finding-line.tsx'
import { Panel } from '../components/panel.tsx'
import { Ranking } from '../components/ranking.tsx'
import { Answered, Section } from '../components/section.tsx'
import { Time } from '../components/time.tsx'
import { bytes, count, counted, duration, nameComponent, RATINGS, rated, SEVERITIES, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { go, href } from '../shell/route.ts'
import { findRunBefore, type RunSummary } from '../shell/runs.ts'

type Data = NonNullable<Answers['GET /api/pages/overview']['data']>

/** How the repository stands: rating, severities, what is new, the way it came, what to do first, and what was not looked at. */
export default function Overview({ run }: PageProps) {
  const loaded = useAnswer('GET /api/pages/overview', { run_id: run.id })
  return (
    <Answered loaded={loaded}>{page => <Section section={page}>{data => <Standing {...data} />}</Section>}</Answered>
  )
}

function Standing(data: Data) {
  const { run, summary, first } = data
  return (
    <div class="overview">
      <Posture {...data} />
      <Panel title="Open findings by run" class="wide">
        <Trend points={data.trend} shown={run.id} onChoose={chosen => go('overview', { run: chosen })} />
      </Panel>
      <Panel
        title="Fix first"
        class="wide"
        aside={run.counts.open > 0 && <a href={href('findings')}>All {count(run.counts.open)}</a>}
      >
        {first.length > 0 ? (
          <ol class="cards">
            {first.slice(0, 6).map(({ finding, alike, live }) => (
              <li key={finding.id} class="card">
                <FindingLine
                  finding={finding}
                  href={href('finding', { id: finding.id })}
                  live={live}
                  more={alike > 0 ? `and ${count(alike)} like it` : undefined}
                />
              </li>
            ))}
          </ol>
        ) : (
          <p class={isEvaluated(run) ? 'good' : 'bad'}>{nothingToFix(run)}</p>
        )}
      </Panel>
      <NewCode {...data} />
      <Score {...data} />
      <Ranking
        title="By rule"
        rows={summary.rules.slice(0, 8).map(({ rule_id, title, severity, count: n }) => ({
          ...{ label: title, hint: rule_id, severity, count: n },
          href: href('findings', { rule: rule_id }),
        }))}
      />
      <Ranking
        title="By file"
        rows={summary.files.slice(0, 8).map(({ file, worst, count: n }) => ({
          ...{ label: file, mono: true, severity: worst, count: n },
          href: href('findings', { file }),
        }))}
      />
      <NotSeen {...data} />
    </div>
  )
}

/** Whether the run says anything at all: without a rule, no finding is no good news. */
function isEvaluated(run: RunSummary): boolean {
  return run.counts.rules > 0
}

function nothingToFix(run: RunSummary): string {
  if (!isEvaluated(run)) return 'Unknown: no rule was evaluated.'
  return run.counts.open === 0 ? 'No open finding.' : 'No open finding has a known remedy.'
}

function Posture({ run, to_review }: Data) {
  const { by_severity, open } = run.counts
  const before = findRunBefore(run)
  return (
    <section class="posture" aria-label="Posture">
      <div class="rating">
        <p class={`value ${rated(run.rating)}`}>{run.rating ?? '–'}</p>
        <p class="soft">{run.rating ? RATINGS[run.rating] : 'not rated'}</p>
        {run.rating !== undefined && before?.rating !== undefined && (
          <RatingChange rating={run.rating} before={before.rating} />
        )}
      </div>
      <div class="standing">
        <h1>
          {headline(run)}
          {before && <Difference value={open - before.counts.open} />}
        </h1>
        {open > 0 && (
          <div class="stack" aria-hidden="true">
            {SEVERITIES.filter(severity => by_severity[severity] > 0).map(severity => (
              <i key={severity} class={severity} style={{ flexGrow: by_severity[severity] }} />
            ))}
          </div>
        )}
        <ul class="severities">
          {SEVERITIES.map(severity => (
            <li key={severity}>
              <button type="button" class={severity} onClick={() => go('findings', { severity })}>
                <b>{count(by_severity[severity])}</b> {severity}
              </button>
            </li>
          ))}
        </ul>
        <Facts run={run} to_review={to_review} />
        {run.gate && (
          <p class={run.gate.passed ? 'gate passed' : 'gate failed'}>
            <b>{run.gate.passed ? 'Gate passed' : 'Gate failed'}</b> {run.gate.reasons.join('; ')}
          </p>
        )}
      </div>
    </section>
  )
}

function headline(run: RunSummary): string {
  if (!isEvaluated(run)) return 'No rule was evaluated'
  return run.counts.open === 0 ? 'No open findings' : counted(run.counts.open, 'open finding')
}

function RatingChange({ rating, before }: { rating: string; before: string }) {
  if (rating === before) return <p class="soft">as before</p>
  return <p class={rating < before ? 'good' : 'bad'}>{before} in the run before</p>
}

function Difference({ value }: { value: number }) {
  if (value === 0) return null
  return (
    <small class={value < 0 ? 'good' : 'bad'}>
      {count(Math.abs(value))} {value < 0 ? 'fewer' : 'more'} than the run before
    </small>
  )
}

function Facts({ run, to_review }: Pick<Data, 'run' | 'to_review'>) {
  const { files, bytes: size, lines, rules, suppressed, baseline } = run.counts
  return (
    <p class="soft facts">
      <span>
        Scanned <Time at={run.started_at} /> in {duration(run.duration_ms)}
      </span>
      <span>
        {counted(files, 'file')}, {counted(lines, 'line')}, {bytes(size)}
      </span>
      <span>{counted(rules, 'rule')}</span>
      {run.scope !== 'everything' && <span>only {run.scope}</span>}
      {run.branch && (
        <span>
          {run.branch}
          {run.git_sha && <code> {run.git_sha.slice(0, 8)}</code>}
        </span>
      )}
      {suppressed > 0 && <a href={href('findings', { status: 'suppressed' })}>{count(suppressed)} suppressed</a>}
      {baseline > 0 && <a href={href('findings', { status: 'baseline' })}>{count(baseline)} in the baseline</a>}
      {to_review > 0 && <a href={href('findings', { review: '1' })}>{counted(to_review, 'place')} to review</a>}
    </p>
  )
}

function NewCode({ new_code, run }: Data) {
  if (!new_code)
    return (
      <Panel title="Since the run before">
        <p class="soft">This is the first run of {run.scope === 'everything' ? 'the whole repository' : run.scope}.</p>
      </Panel>
    )
  return (
    <Panel
      title="Since the run before"
      aside={<a href={href('compare', { run: run.id, against: new_code.against })}>Compare</a>}
    >
      <p class="change">
        <b class={new_code.new > 0 ? 'bad' : 'good'}>{count(new_code.new)}</b> new{' '}
        <b class={new_code.resolved > 0 ? 'good' : ''}>{count(new_code.resolved)}</b> resolved
      </p>
      <ul class="lines">
        {new_code.latest.slice(0, 5).map(finding => (
          <li key={finding.fingerprint}>
            <FindingLine finding={finding} href={href('finding', { id: finding.fingerprint })} short />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Score({ posture }: Data) {
  return (
    <Panel title="Posture score" aside={<a href={href('posture')}>Trends</a>}>
      <Section section={posture}>
        {({ overall, status, components }) => (
          <>
            <p class="change">
              <b>{overall ?? '–'}</b> {overall === null ? 'no component has data' : `of 100, ${words(status)}`}
            </p>
            <dl class="meters">
              {Object.entries(components).map(([name, { score }]) => (
                <div key={name}>
                  <dt>{nameComponent(name)}</dt>
                  <dd>
                    {score === null ? (
                      <span class="soft">no data</span>
                    ) : (
                      <>
                        <meter min={0} max={100} value={score} aria-label={nameComponent(name)} /> {score.toFixed(0)}
                      </>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </Section>
    </Panel>
  )
}

function NotSeen({ run, skipped, not_evaluated, notices }: Data) {
  const reasons = Object.entries(run.counts.skipped).sort(([, a], [, b]) => b! - a!)
  const nothing = isEvaluated(run) && skipped + not_evaluated + notices === 0
  return (
    <Panel title="Not scanned" class="wide seen" aside={!nothing && <a href={href('gaps')}>All gaps</a>}>
      {nothing ? (
        <p class="good">Every file was read and every rule evaluated.</p>
      ) : (
        <p>
          {!isEvaluated(run) && 'No rule was evaluated. '}
          {skipped > 0 &&
            `${counted(skipped, 'file')} skipped (${reasons.map(([reason, n]) => `${count(n!)} ${words(reason)}`).join(', ')}). `}
          {not_evaluated > 0 && `${counted(not_evaluated, 'rule evaluation')} did not happen; that is not a pass. `}
          {notices > 0 && 'Some suppressions have no effect any more.'}
        </p>
      )}
      <p class="soft">{run.packs_reason}</p>
    </Panel>
  )
}
