import { dirname, join, relative } from 'node:path'
import { type } from 'arktype'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { buildAgentContext } from '../../findings/agent-context.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

/** More findings than the document has room for, so that its thirty files are the worst. */
const CONSIDERED = 1000

/** Writes what a coding agent should know of the repository, small enough to be read at the start of a session. */
export default defineOperation({
  id: 'findings.context',
  summary: 'Write agent_context.json, the security context of the repository for coding agents.',
  effect: 'write',
  action: 'run_scan',
  cli: 'context',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  input: type({
    'output?': type('string >= 1').describe(
      'an output file, or - for standard output (default: out/agent_context.json)',
    ),
    '+': 'reject',
  }),
  output: type({
    path: type('string').describe('the file that was written, or - for none'),
    'content?': type('string').describe('the document, if it was not written to a file'),
    bytes: 'number.integer',
    run_id: 'string',
    open: 'number.integer',
    files: type('number.integer').describe('the number of files with findings in the document'),
    rules: type('number.integer').describe('the number of rules in the document'),
  }),
  examples: [
    ['svc context', 'write out/agent_context.json from the latest scan'],
    ['svc context -o .agent/context.json', 'write it where an agent reads it'],
  ],

  run: ({ output }, { cwd, env, notice }) =>
    runWithStore({ cwd, env, notice }, async store => {
      const printed = output === '-'
      const path = printed
        ? '-'
        : output === undefined
          ? join(await resolveOutputDirectory({ cwd, env }), 'agent_context.json')
          : resolveOutputFile(cwd, output)
      const run = await store.standing()
      const summary = await store.summary(run.id, 1)
      const { findings } = await store.findings(run.id, { status: 'open', sort: 'severity', limit: CONSIDERED })
      const config = await loadConfig(cwd, { env })
      const packs = await loadPacks(config.root)
      const document = buildAgentContext({ run, summary, findings, packs, fail_on: config.gate.fail_on })
      const text = `${JSON.stringify(document, null, 1)}\n`
      if (!printed) {
        if (output === undefined) makeOut(dirname(path))
        writeOutput(path, text)
      }
      return {
        path: printed ? path : relative(cwd, path) || path,
        ...(printed && { content: text }),
        bytes: Buffer.byteLength(text),
        run_id: run.id,
        open: summary.open,
        files: document.open_findings.files.length,
        rules: document.rules.length,
      }
    }),

  text: ({ path, content, bytes, run_id, open, files, rules }) =>
    content ??
    `Wrote ${path} (${Math.ceil(bytes / 1024)} KiB) from run ${run_id}: ${formatCount(open, 'open finding')}, ${formatCount(files, 'file')} listed, ${formatCount(rules, 'rule')} to follow.`,
})
