import { Heading } from '../components/heading.tsx'
import { Prose } from '../components/prose.tsx'
import { Answered } from '../components/section.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { href } from '../shell/route.ts'

type Rule = Answers['GET /api/rules/{rule_id}']

/** Examples of each kind that are shown. */
const EXAMPLES = 3

/** One rule: what it finds, why, how to fix it, what it is mapped to, with code that it reports and code that it does not. */
export default function RulePage({ query }: PageProps) {
  const id = query.get('id') ?? ''
  const loaded = useAnswer('GET /api/rules/{rule_id}', id === '' ? undefined : { rule_id: id })
  return (
    <>
      <p class="crumbs">
        <a href={href('rules')}>All rules</a>
      </p>
      {id === '' ? (
        <Heading title="The address names no rule" />
      ) : (
        <Answered loaded={loaded}>{rule => <Detail {...rule} />}</Answered>
      )}
    </>
  )
}

function Detail(rule: Rule) {
  return (
    <article class="panel padded detail">
      <header>
        <p class="line">
          <SeverityBadge severity={rule.severity} />
          <span class="tag">{rule.type}</span>
          {rule.fixable && <span class="tag">certain fix</span>}
          {rule.silent_in && <span class="tag">not in {rule.silent_in}</span>}
        </p>
        <Heading title={rule.title} />
        <p>
          <code>{rule.id}</code> in the pack {rule.pack_id}.{' '}
          <a href={href('findings', { rule: rule.id })}>Its findings</a>
        </p>
      </header>
      <p class="why">{rule.message}</p>
      <section class="mend" aria-label="How to fix it">
        <h2>How to fix it</h2>
        <Prose text={rule.remediation} />
      </section>
      <Examples title="Reported" codes={rule.violating} />
      <Examples title="Not reported" codes={rule.clean} />
      <section aria-label="Mapped to">
        <h2>Mapped to</h2>
        <ul class="meta">
          {rule.cwe.map(cwe => (
            <li key={cwe}>{cwe}</li>
          ))}
          {rule.controls.map(({ framework, control, why }) => (
            <li key={`${framework} ${control}`} title={why}>
              {framework} {control}
            </li>
          ))}
          {rule.languages.map(language => (
            <li key={language}>{language}</li>
          ))}
        </ul>
      </section>
      {rule.references.length > 0 && (
        <section aria-label="References">
          <h2>References</h2>
          <ul>
            {rule.references.map(address => (
              <li key={address}>
                <Reference address={address} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}

/** A pack of a repository names what it likes: only addresses of the web become links. */
function Reference({ address }: { address: string }) {
  if (!/^https?:\/\//.test(address)) return <>{address}</>
  return (
    <a href={address} rel="noreferrer" target="_blank">
      {address}
    </a>
  )
}

function Examples({ title, codes }: { title: string; codes: readonly string[] }) {
  if (codes.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {codes.slice(0, EXAMPLES).map((code, at) => (
        <pre key={at} class="code padded" tabIndex={0} role="region" aria-label={`${title}, example ${at + 1}`}>
          <code>{code}</code>
        </pre>
      ))}
    </section>
  )
}
