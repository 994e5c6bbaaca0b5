import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn } from '../../base/disk/own-folder.ts'
import type { Run } from '../../base/records/run.ts'
import { isObject, parseObject } from '../../base/text/json-object.ts'
import { runFiles } from '../../sources/store/layout.ts'
import { digestAttestation } from '../attest/document.ts'
import { FORMAT_FILES, type ReportFormat, renderReport } from '../report.ts'
import { loadStoredModel, type StoredOptions } from '../stored.ts'
import type { BundleFile } from './archive.ts'
import { maskSecrets } from './mask.ts'

/** Reports hold every finding as an object: with more findings they are left out, and the lines of findings.jsonl are the record. */
const MOST_REPORTED = 20_000
const REPORTS: readonly ReportFormat[] = ['html', 'markdown', 'sarif', 'csv']
const MOST_BYTES = 256 * 1024 * 1024

/** Files of a bundle, and sentences about what is not among them. */
export interface Contents {
  files: BundleFile[]
  missing: string[]
}

/** What a run left behind: its record, findings, files, reports, frameworks and packs. */
export async function gatherRun(
  run: Run,
  { root, out, findings, options }: { root: string; out: string; findings: string; options: StoredOptions },
): Promise<Contents> {
  const stored = runFiles(out, run.id)
  const files: BundleFile[] = [
    { name: 'run/run.json', content: formatJson(run) },
    { name: 'run/findings.jsonl', content: { path: findings } },
    { name: 'run/findings.parquet', content: { path: stored.findings } },
    ...(existsSync(stored.files) ? [{ name: 'run/files.parquet', content: { path: stored.files } }] : []),
    ...(run.frameworks ?? []).map(framework => ({
      name: `frameworks/${toFileName(framework.id)}.json`,
      content: formatJson(framework),
    })),
  ]
  const missing: string[] = []
  if (run.counts.findings <= MOST_REPORTED) files.push(...(await renderReports(root, out, run, options)))
  else
    missing.push(
      `Reports: the run has more than ${MOST_REPORTED} findings. \`svc history-report -r ${run.id}\` writes one.`,
    )
  if (!run.frameworks) missing.push('States of controls: no framework was on, or a part of the repository was scanned.')
  const packs = readOwn(join(out, 'packs.json'), MOST_BYTES)
  if (packs && parseObject(packs.toString('utf8'))?.run_id === run.id)
    files.push({ name: 'packs/packs.json', content: packs })
  else
    missing.push(
      'Rules as they were: only the last scan of everything keeps them; `run/run.json` has the versions of the packs.',
    )
  return { files, missing }
}

async function renderReports(root: string, out: string, run: Run, options: StoredOptions): Promise<BundleFile[]> {
  const model = await loadStoredModel(root, out, run.id, options)
  return REPORTS.map(format => ({
    name: `reports/report.${FORMAT_FILES[format].extension}`,
    content: [...renderReport(format, model)].join(''),
  }))
}

/** What svc has written beside the runs: SBOM, vulnerabilities, and attestations of this run where there are some. */
export function gatherOutput(run: Run, out: string): Contents & { attestations: BundleFile[] } {
  const files: BundleFile[] = []
  const missing: string[] = []
  for (const [name, directory, command] of [
    ['sbom.json', 'sbom', 'svc sbom'],
    ['vulnerabilities.json', 'vulnerabilities', 'svc vulns'],
    ['licenses.json', 'licenses', ''],
  ] as const) {
    const content = readOwn(join(out, name), MOST_BYTES)
    if (content) files.push({ name: `${directory}/${name}`, content })
    else if (command !== '') missing.push(`${name}: \`${command}\` had not been run.`)
  }
  return { files, missing, attestations: findAttestations(run, out) }
}

/** The attestation of this run that lies in the output directory, with what was written beside it. */
function findAttestations(run: Run, out: string): BundleFile[] {
  const read = (ending: string) => readOwn(join(out, `attestation${ending}`), MOST_BYTES)
  const own = read('.json')
  const document = own && parseObject(own.toString('utf8'))
  if (!own || !isObject(document) || document.run_id !== run.id) return []
  const digest = digestAttestation(document)
  return ['.json', '.intoto.json', '.sigstore.json', '.vsa.intoto.json', '.cdx.json'].flatMap(ending => {
    const content = ending === '.json' ? own : read(ending)
    return content && (content === own || isAbout(content, digest))
      ? [{ name: `attestations/attestation${ending}`, content }]
      : []
  })
}

/** Whether a document is about an attestation: one that an earlier attestation left behind is not. */
function isAbout(content: Buffer, digest: string): boolean {
  const document = parseObject(content.toString('utf8')) ?? {}
  const { payload } = (isObject(document.dsseEnvelope) ? document.dsseEnvelope : document) as { payload?: unknown }
  return (typeof payload === 'string' ? Buffer.from(payload, 'base64') : content).includes(digest)
}

/** The settings that hold, and the files of people's decisions, without credentials. */
export function gatherSettings(root: string, settings: object): BundleFile[] {
  const files: BundleFile[] = [{ name: 'config/settings.json', content: formatJson(maskSecrets(settings)) }]
  for (const name of ['suppressions.yaml', 'evidence.yaml']) {
    const content = readOwn(join(root, '.svc', name), MOST_BYTES)
    if (content) files.push({ name: `config/${name}`, content: maskLines(content.toString('utf8')) })
  }
  return files
}

function maskLines(text: string): string {
  return text
    .split('\n')
    .map(line => {
      const [, head = '', key = '', value = ''] = /^(\s*(?:- )?([\w-]+):\s+)(.+)$/.exec(line) ?? []
      return head === '' ? String(maskSecrets(line)) : `${head}${String(maskSecrets(value, key))}`
    })
    .join('\n')
}

/** An id as a file's name; ids of frameworks are such names already. */
function toFileName(id: string): string {
  return id.replace(/[^A-Za-z0-9._-]/g, '_')
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}
