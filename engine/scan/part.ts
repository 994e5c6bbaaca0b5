import { relative } from 'node:path'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { formatCount, groupDigits } from '../base/text/words.ts'
import type { ScanInput } from './perform.ts'
import { performShard } from './perform-shard.ts'
import { parseShard } from './shard.ts'

/** Inputs that mean something else than a part of a whole repository, or need its judgement. */
const NOT_WITH = [
  'files',
  'changed_files',
  'staged',
  'git_range',
  'diff',
  'branch',
  'update_baseline',
  'actionable_only',
] as const

/**
 * Scans the part `i/n` and answers it as a scan's operation does, without findings, since none is judged yet. FORBIDDEN but
 * on the command line, INPUT_INVALID together with what means something else.
 */
export async function scanPart(input: ScanInput & { actionable_only?: boolean }, text: string, context: Context) {
  if (context.surface !== 'cli') {
    throw new EngineError('FORBIDDEN', 'shard is for jobs on the command line.', {
      hint: 'Omit shard to scan the whole repository.',
    })
  }
  const other = NOT_WITH.find(key => input[key] !== undefined && input[key] !== false)
  if (other) {
    throw new EngineError('INPUT_INVALID', `--shard and --${other.replaceAll('_', '-')} exclude each other.`, {
      hint: other.includes('_baseline')
        ? '`svc merge --update-baseline` creates it from all shards.'
        : 'Pass one of them.',
    })
  }
  const scanned = await performShard(input, parseShard(text), context)
  const { id, shard, identity, by_severity, reports, listed, started_at, finished_at } = scanned
  const total = Object.values(by_severity).reduce((sum, count) => sum + count, 0)
  const { git_sha, tool_version, scope } = identity
  return {
    run_id: id,
    findings: [],
    total,
    by_severity,
    truncated: total > 0,
    run: {
      id,
      started_at,
      finished_at,
      tool_version,
      ...(git_sha !== undefined && { git_sha }),
      scope: `shard ${shard.index}/${shard.count} of ${scope}`,
    },
    shard: {
      ...shard,
      folder: relative(context.cwd, scanned.folder) || scanned.folder,
      files: reports.length,
      listed,
    },
  }
}

/** The part in two sentences for a person. */
export function formatPart({
  index,
  count,
  folder,
  files,
  listed,
}: {
  index: number
  count: number
  folder: string
  files: number
  listed: number
}): string {
  const what = `Scanned shard ${index} of ${count}: ${formatCount(files, 'file')} of ${groupDigits(listed)}, stored in ${folder}.`
  return `${what}\nNot evaluated yet: run \`svc merge\` with the directories of all ${count === 1 ? 'shards' : `${count} shards`}.`
}
