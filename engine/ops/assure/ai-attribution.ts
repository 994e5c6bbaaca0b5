import { join, relative } from 'node:path'
import { type } from 'arktype'
import {
  type AgentSession,
  attributeCommits,
  attributeFindings,
  MOST_BLAMED,
  MOST_COMMITS,
  sumContributions,
} from '../../assure/attribution/attribute.ts'
import { renderAttribution } from '../../assure/attribution/page.ts'
import { writePieces } from '../../assure/report.ts'
import { readFindings } from '../../assure/stored.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { computePercent } from '../../base/text/percent.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { openStore } from '../../sources/store/open.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

const Commit = type({
  sha: 'string',
  time: 'string',
  agent: 'string | null',
  basis: type("'task_session' | 'author' | 'trailer' | 'none'").configure(
    { description: 'what the attribution is based on' },
    'self',
  ),
  confidence: type("'high' | 'medium' | 'low'").configure({ description: 'high, medium or low' }, 'self'),
  added: 'number.integer',
  deleted: 'number.integer',
})

/** Which commits, lines and findings are by people and which by coding agents, and how sure that is. */
export default defineOperation({
  id: 'assure.ai-attribution',
  summary: 'Report commits, lines and findings by humans and by coding agents.',
  effect: 'write',
  action: 'read_metrics',
  cli: 'ai-attribution',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  examples: [
    ['svc ai-attribution', 'write out/ai-attribution.html for the whole history'],
    ['svc ai-attribution --git-range v1.0..HEAD --json', 'print one range as JSON'],
  ],
  input: type({
    git_range: type('string > 0').describe('a branch, a commit or a range such as main..HEAD').default('HEAD'),
    'output?': type('string > 0').describe('the file to write (default: ai-attribution.html in the output directory)'),
    '+': 'reject',
  }),
  output: type({
    range: 'string',
    contributions: type({
      who: type('string').describe('an agent, or human for all people together'),
      commits: 'number.integer',
      added: 'number.integer',
      deleted: 'number.integer',
      by_confidence: type({ high: 'number.integer', medium: 'number.integer', low: 'number.integer' }),
      findings: 'number.integer',
    }).array(),
    findings_outside: type('number.integer').describe('findings on lines that no commit of the range has'),
    commits: Commit.array(),
    notes: 'string[]',
    output: 'string',
  }),

  async run({ git_range, output }, context) {
    const { cwd, env, signal, notice } = context
    const config = await loadConfig(cwd, { env })
    const { root } = config
    const own = new Map(Object.entries(config.attribution.agents).map(([email, agent]) => [email.toLowerCase(), agent]))
    let sessions: AgentSession[] = []
    if (stateExists(root)) {
      const { state } = await openGovernance(context, root)
      sessions = state.read(reader =>
        reader.find('sessions', 'created_at >= ?', '').map(({ agent, created_at, ended_at, files_touched }) => ({
          agent,
          created_at,
          ended_at,
          files: files_touched,
        })),
      )
    }
    const commits = await attributeCommits(root, git_range, { own, sessions, signal })
    const out = locateOutput(root, env, config.output_dir)
    const notes = [
      'A commit without any sign of an agent counts as human with low confidence: an agent that leaves no sign cannot be told apart.',
    ]
    if (commits.length === MOST_COMMITS) notes.push(`Only the newest ${groupDigits(MOST_COMMITS)} commits are counted.`)
    let [counts, outside] = [new Map<string, number>(), 0]
    const store = await openStore(out, notice)
    try {
      const latest = (await store.wholeRuns()).runs[0] ?? (await store.latest())
      if (!latest) notes.push('Findings are not counted: the repository was never scanned.')
      else {
        const open = (await readFindings(store, latest.id)).filter(({ status }) => status !== 'suppressed')
        if (new Set(open.map(({ file }) => file)).size > MOST_BLAMED)
          notes.push(`Findings of more than ${MOST_BLAMED} files: those of the others count as outside.`)
        ;({ counts, outside } = await attributeFindings(root, open, commits, signal))
      }
    } finally {
      store.close()
    }
    const contributions = sumContributions(commits, counts)
    if (output === undefined) makeOut(out)
    const path = output === undefined ? join(out, 'ai-attribution.html') : resolveOutputFile(cwd, output)
    const project = root.split(/[\\/]/).at(-1) ?? ''
    writePieces(path, renderAttribution(project, git_range, contributions, commits, notes))
    return {
      range: git_range,
      contributions,
      findings_outside: outside,
      commits,
      notes,
      output: relative(cwd, path) || path,
    }
  },

  text({ contributions, findings_outside, notes, output, range }, { paint, quiet }) {
    if (quiet) return ''
    const total = contributions.reduce((sum, { added }) => sum + added, 0)
    const rows = contributions.map(
      ({ who, commits, added, findings, by_confidence }) =>
        `  ${who.padEnd(14)} ${formatCount(commits, 'commit').padStart(16)} ${formatCount(added, 'line').padStart(16)} ${String(computePercent(added, total, 0) ?? 0).padStart(3)} % ${formatCount(findings, 'finding').padStart(15)}  ${paint('dim', `confidence ${by_confidence.high} high, ${by_confidence.medium} medium, ${by_confidence.low} low`)}`,
    )
    return [
      `AI attribution of ${range}:`,
      ...rows,
      ...(findings_outside > 0 ? [`${formatCount(findings_outside, 'finding')} on lines outside of the range.`] : []),
      ...notes,
      `Wrote ${output}.`,
    ].join('\n')
  },
})
