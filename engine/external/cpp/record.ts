import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ignoreUnreadable, readOwn } from '../../base/disk/own-folder.ts'
import { readSource } from '../../base/disk/read.ts'
import { type Finding, SEVERITIES } from '../../base/records/finding.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { list, map, readString, readWhole } from '../../findings/sarif/form.ts'
import type { MergedResult } from './merge.ts'
import { CPP_RECORD, CPP_TOOLS } from './results.ts'

const MOST_BYTES = 256 << 20

/** The last analysis, as it is written. */
export interface CppRecord {
  version: 1
  /** `everything`, or `files` where a part was asked for. */
  scope: 'everything' | 'files'
  tools: { name: string; version: string }[]
  /** The sources that were analyzed, and SHA-256 of each as it was. */
  files: { path: string; sha256: string }[]
  not_evaluated: NotEvaluated[]
  findings: Finding[]
}

/** SHA-256 of a file of the work tree as it is now; undefined where it cannot be read. */
export function digestSource(root: string, file: Listing['files'][number]): string | undefined {
  const bytes = readSource(root, file, MOST_BYTES)
  return bytes instanceof Uint8Array ? createHash('sha256').update(bytes).digest('hex') : undefined
}

/** What a record came to, for a scan that joins it. Everything in it is checked: the file may have been put there by anybody. */
export interface ReadCppRecord extends Pick<CppRecord, 'scope'> {
  tools: string[]
  files: Map<string, string>
  not_evaluated: NotEvaluated[]
  results: MergedResult[]
}

/** The record in an output directory; a sentence where what is there is none. */
export function readCppRecord(out: string): ReadCppRecord | string {
  const bytes = ignoreUnreadable(() => readOwn(join(out, CPP_RECORD), MOST_BYTES))
  if (!bytes) return `${CPP_RECORD} cannot be read`
  let document: unknown
  try {
    document = JSON.parse(bytes.toString('utf8'))
  } catch {
    return `${CPP_RECORD} is not valid JSON`
  }
  const { version, scope, tools, files, not_evaluated, findings } = map(document)
  if (version !== 1) return `${CPP_RECORD} is of another version of svc`
  const digests = list(files).map(map)
  return {
    scope: scope === 'everything' ? 'everything' : 'files',
    tools: list(tools).flatMap(tool => CPP_TOOLS.find(name => name === map(tool).name) ?? []),
    files: new Map(digests.flatMap(({ path, sha256 }) => (typeof path === 'string' ? [[path, String(sha256)]] : []))),
    not_evaluated: list(not_evaluated).map(map).flatMap(toGap),
    results: list(findings).map(map).flatMap(toResult),
  }
}

function toGap({ rule_id, file, reason, detail }: Record<string, unknown>): NotEvaluated[] {
  const tool = CPP_TOOLS.find(name => rule_id === `${name}:*`)
  if (tool === undefined || typeof file !== 'string') return []
  const known = reason === 'not_understood' ? 'not_understood' : 'scanner_failed'
  return [{ rule_id: `${tool}:*`, file, reason: known, detail: String(detail ?? '').slice(0, 500) }]
}

function toResult({
  rule_id,
  message,
  severity,
  cwe,
  file,
  line,
  column,
  also,
}: Record<string, unknown>): MergedResult[] {
  const [, name, check] = /^([\w-]+):([\w.-]+)$/.exec(String(rule_id)) ?? []
  const tool = CPP_TOOLS.find(each => each === name)
  const rank = SEVERITIES.find(each => each === severity)
  const text = readString(message)
  const weakness = list(cwe).find(each => /^CWE-\d{1,5}$/.test(String(each)))
  const names = list(also).filter(each => typeof each === 'string' && /^[\w.:-]+$/.test(each)) as string[]
  if (tool === undefined || check === undefined || !rank || !text || typeof file !== 'string') return []
  return [
    {
      ...{ tool, check, message: text, severity: rank, file },
      ...(weakness !== undefined && { cwe: String(weakness) }),
      ...{ line: readWhole(line) ?? 1, column: readWhole(column) ?? 1 },
      ...(names.length > 0 && { also: names }),
    },
  ]
}
