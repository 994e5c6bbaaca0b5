// Turns the answer of `svc gate --json` into what a GitHub step hands on: outputs, the step's summary, one annotation.
// github-outputs.mjs <answer file> <exit code> <repository path>; run by action.yml.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const [file, code, path] = process.argv.slice(2)
const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, SVC_SUMMARY } = process.env

const REPORTS = { sarif: 'sarif', html: 'html', junit: 'junit.xml', csv: 'csv', markdown: 'md', gitlab: 'gitlab.json' }

const answer = read(file)
const outputs = { 'exit-code': code }
let summary
if (answer && !answer.error && (code === '0' || code === '1')) {
  for (const [key, value] of Object.entries(answer))
    if (typeof value !== 'object') outputs[key.replaceAll('_', '-')] = value
  const out = outFolder(path)
  outputs.findings = join(out, 'findings.json')
  outputs.run = join(out, 'run.json')
  for (const [format, extension] of Object.entries(REPORTS))
    outputs[`report-${format}`] = join(out, `report.${extension}`)
  summary = readFileSync(outputs['report-markdown'], 'utf8')
  if (answer.passed) console.log(`The gate passes; ${count(answer.total_findings)}.`)
  else annotate(`The gate is held: ${answer.reasons.join('; ')}.`)
} else {
  const { detail = `svc ended with ${code} and gave no answer.`, hint = 'Look at the log of this step.' } =
    answer?.error ?? {}
  annotate(`${detail} ${hint}`)
  summary = `## svc: no judgement\n\nsvc ended with ${code}; the log of the step says why.\n`
}
append(
  GITHUB_OUTPUT,
  Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`),
)
if (SVC_SUMMARY !== 'false') append(GITHUB_STEP_SUMMARY, [summary])

/** The answer, or nothing where svc ended before it gave one. */
function read(name) {
  try {
    return JSON.parse(readFileSync(name, 'utf8'))
  } catch {
    return undefined
  }
}

/** out/ of the repository that holds the path: of the nearest folder upwards with .git, else of the path itself. */
function outFolder(start) {
  for (let at = resolve(start); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return relative('', join(at, 'out'))
    if (dirname(at) === at) return join(start, 'out')
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

function count(findings) {
  return `${findings} open ${findings === 1 ? 'finding' : 'findings'}`
}
