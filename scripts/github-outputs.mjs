// Turns the answer of `svc gate --json` into what a GitHub step hands on: outputs, the step's summary, one annotation.
// So too `svc merge --gate --json` and `svc scan --shard i/n --json`. Run by action.yml as
// github-outputs.mjs <answer file> <exit code> <repository path>
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const [file, code, path] = process.argv.slice(2)
const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, SVC_SUMMARY } = process.env

const ELSEWHERE = 'Make the checkout writable, or set SVC_OUTPUT_DIR for the step.'
const REPORTS = { sarif: 'sarif', html: 'html', junit: 'junit.xml', csv: 'csv', markdown: 'md', gitlab: 'gitlab.json' }

const { outputs, summary } = handedOn(read(file))
append(
  GITHUB_OUTPUT,
  Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`),
)
if (SVC_SUMMARY !== 'false') append(GITHUB_STEP_SUMMARY, [summary])

function handedOn(answer) {
  const isAnswer = answer && !answer.error && isJudged(answer)
  if (!isAnswer) return failed(answer?.error ?? (answer?.not_stored && { detail: answer.not_stored, hint: ELSEWHERE }))
  if (answer.shard) {
    const { index, count, folder, files } = answer.shard
    console.log(`Shard ${index} of ${count}: ${files} files scanned, nothing judged yet.`)
    return { outputs: { 'exit-code': code, 'run-id': answer.run_id, shard: folder }, summary: '' }
  }
  return judged(
    answer.gate
      ? {
          ...answer.gate,
          run_id: answer.run_id,
          output_dir: answer.output_dir,
          not_stored: answer.not_stored,
          not_evaluated: silent(answer.run),
        }
      : answer,
  )
}

/** A gate ends with 2 where design decisions are pending and nothing else fails it. */
function isJudged({ failures, gate }) {
  return code === '0' || code === '1' || (code === '2' && (gate?.failures ?? failures) !== undefined)
}

function judged(answer) {
  const outputs = { 'exit-code': code }
  for (const [key, value] of Object.entries(answer))
    if (typeof value !== 'object') outputs[key.replaceAll('_', '-')] = value
  outputs['not-stored'] = answer.not_stored ?? ''
  if (answer.passed) console.log(`Gate passed; ${counted(answer.total_findings)}.`)
  else annotate(`Gate failed: ${answer.reasons.join('; ')}.`)
  // What is in the directory then is another run's.
  if (answer.not_stored !== undefined)
    return { outputs, summary: `## svc: the gate failed\n\n${answer.not_stored} ${ELSEWHERE}\n` }
  const out = outputDirectory(path, answer.output_dir)
  outputs['output-dir'] = out
  outputs.findings = join(out, 'findings.json')
  outputs.run = join(out, 'run.json')
  for (const [format, extension] of Object.entries(REPORTS))
    outputs[`report-${format}`] = join(out, `report.${extension}`)
  return { outputs, summary: readFileSync(outputs['report-markdown'], 'utf8') }
}

/** Without an answer nothing was judged, so an exit code that would say so is not handed on. */
function failed(error) {
  const { detail = `svc ended with ${code} and gave no answer.`, hint = 'Look at the log of this step.' } = error ?? {}
  annotate(`${detail} ${hint}`)
  const summary = `## svc: no judgement\n\nsvc ended with ${code}; the log of the step says why.\n`
  return { outputs: { 'exit-code': ['0', '1', '2'].includes(code) ? 70 : code }, summary }
}

/** The answer, or nothing where svc ended before it gave one. */
function read(name) {
  try {
    return JSON.parse(readFileSync(name, 'utf8'))
  } catch {
    return undefined
  }
}

/** Rules that could not be evaluated, on some file or all. */
function silent({ not_evaluated }) {
  return new Set(not_evaluated.map(({ rule_id }) => rule_id)).size
}

/** The directory of results, `out` where the answer names none: of the nearest directory upwards with .git, else of the path itself. */
function outputDirectory(start, named = 'out') {
  for (let at = resolve(start); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return relative('', resolve(at, named))
    if (dirname(at) === at) return relative('', resolve(start, named))
  }
}

/** An error of the step, on one line whatever is in the text. */
function annotate(text) {
  const data = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::error title=svc::${data}`)
}

function append(target, texts) {
  if (target) appendFileSync(target, texts.join(''))
}

function counted(findings) {
  return `${findings} open ${findings === 1 ? 'finding' : 'findings'}`
}
