import { renameSync, rmSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFault } from '../../base/disk/disk.ts'
import { removeTemporary } from '../../base/disk/temporary.ts'
import { runInTurn } from '../../base/disk/turn.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import { compareFindings, type Finding } from '../../base/records/finding.ts'
import type { FileRecord, Run } from '../../base/records/run.ts'
import { FILE_COLUMNS, FINDING_COLUMNS } from './columns.ts'
import { copy, openWriter } from './duckdb.ts'
import { FilesAhead } from './files-ahead.ts'
import { type FilesAndBase, type FilesOnBase, leaveBase, writeOnBase } from './files-on-base.ts'
import { type Dating, listRunsToCarry, runWithFirstSeen } from './first-seen.ts'
import { writeRelation } from './json-relation.ts'
import { locateHistory, makeOut, makeTemporary, removeAbandoned, runFiles } from './layout.ts'
import { isRunId } from './run-id.ts'
import { findTimeAhead } from './runs.ts'

/** The files of a run as they are to be stored. */
export type FilesToStore = readonly FileRecord[] | FilesOnBase | FilesAndBase | FilesAhead

/**
 * Stores a run: `out/history/<run-id>/{run.json,findings.parquet,files.parquet}`, and `out/run.json` and
 * `out/findings.json` beside it for whoever wants the latest. Everything is made in a temporary folder and renamed when
 * complete, so a killed writer leaves nothing that a reader sees, and processes that write at once do not meet. Findings
 * are stored in the order of `compareFindings`; equal findings and files give byte-equal Parquet.
 *
 * `more` writes what else belongs beside the latest run into the folder that it is given, while the database writes on its own
 * thread, and answers the files' names. They come to their places with the rest, or not at all. While they do there is no
 * `out/run.json`, and it comes last: whoever is killed in between leaves no run there rather than the parts of two. Processes that
 * come to it at once do so one after the other, and the last one's set stands.
 * CONFLICT where the run is already stored; DISK where the disk refuses.
 */
export async function writeRun(
  out: string,
  run: Run,
  findings: readonly Finding[],
  files: FilesToStore,
  more: (folder: string) => readonly string[] = () => [],
): Promise<void> {
  if (!isRunId(run.id))
    throw new EngineError('INTERNAL', `A run cannot be stored under the id ${JSON.stringify(run.id)}.`)
  let temporary: string | undefined
  try {
    makeOut(out)
    temporary = await makeTemporary(out, run.id)
    await removeAbandoned(out, temporary)
    const complete = join(temporary, 'run')
    await mkdir(complete)
    const follows = await findTimeAhead(out, Date.now())
    const runText = `${JSON.stringify(follows === undefined ? run : { ...run, follows }, null, 1)}\n`
    await writeFile(join(complete, 'run.json'), runText)
    await writeFile(join(temporary, 'run.json'), runText)
    let beside: readonly string[] = []
    const dating = {
      out,
      carried: await listRunsToCarry(out),
      seen: { run_id: run.id, at: run.started_at },
    }
    await writeTables(temporary, complete, inOrder(findings), files, dating, () => {
      beside = more(temporary!)
    })
    await publish(complete, runFiles(out, run.id).folder, run.id)
    const names = ['findings.json', ...beside, 'run.json']
    await runInTurn(join(locateHistory(out), '.turn'), async () => {
      // Without a pause, in which a signal could end the process.
      rmSync(join(out, 'run.json'), { force: true })
      for (const name of names) renameSync(join(temporary!, name), join(out, name))
    })
  } catch (error) {
    throw toEngineError(writeFault(error, dirname(out), out))
  } finally {
    if (temporary) removeTemporary(temporary)
  }
}

/** The JSON comes first because findings.json is wanted anyway: DuckDB turns 50,000 of its records to Parquet in 0.3 s, twice as fast as cell by cell. */
async function writeTables(
  temporary: string,
  complete: string,
  findings: readonly Finding[],
  files: FilesToStore,
  dating: Dating,
  meanwhile: () => void,
): Promise<void> {
  const opening = files instanceof FilesAhead ? files.writer : openWriter()
  // Awaited below; until then a failure is nobody's.
  opening.catch(() => {})
  try {
    const jsonOf = (name: string, records: readonly object[], columns: Record<string, string>) =>
      writeRelation(temporary, name, records, columns)
    const stored = jsonOf('findings', findings, FINDING_COLUMNS)
    const places =
      dating.carried.length === 0
        ? ''
        : jsonOf(
            'places',
            findings.map(({ fingerprint }, number) => ({ fingerprint, number })),
            { fingerprint: 'VARCHAR', number: 'INTEGER' },
          )
    const target = join(complete, 'files.parquet')
    const all = files instanceof FilesAhead || 'base' in files ? undefined : 'all' in files ? files.all : files
    const copyFiles = all ? copy(`SELECT * FROM ${writeRelation(temporary, 'files', all, FILE_COLUMNS)}`, target) : ''
    const { connection } = await opening
    const statementOf = (query: string) => `${copy(query, join(complete, 'findings.parquet'))};\n${copyFiles}`
    const written = runWithFirstSeen(connection, stored, places, dating, statementOf)
      .then(async () => {
        if (all || (files instanceof FilesAhead && (await files.copyTo(target)))) return
        // The place for temporary files may have no room where this one has.
        const onBase = files instanceof FilesAhead ? files.files : (files as FilesOnBase)
        await writeOnBase(connection, onBase, temporary, target)
      })
      .catch(refused)
      .then(() => {
        if ('all' in files) leaveBase(target, files)
      })
    try {
      meanwhile()
    } finally {
      await written
    }
  } finally {
    // A database that is another's own is closed by that one.
    if (!(files instanceof FilesAhead))
      await opening.then(
        ({ close }) => close(),
        () => {}, // said above
      )
  }
}

/** DuckDB has no codes for what the system says, but repeats its words at the end of its own. */
function refused(error: unknown): never {
  const words = (error as Error).message
  if (!words.startsWith('IO Error')) throw error
  const reason = words.split('\n')[0]!.split(': ').pop()!
  throw new EngineError('DISK', `The tables of the run cannot be written: ${reason}.`, { cause: error })
}

async function publish(complete: string, folder: string, id: string): Promise<void> {
  try {
    await rename(complete, folder)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM') {
      throw new EngineError('CONFLICT', `The run ${id} is already stored.`, { cause: error })
    }
    throw error
  }
}

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const sorted = findings.every((finding, i) => i === 0 || compareFindings(findings[i - 1]!, finding) <= 0)
  return sorted ? findings : [...findings].sort(compareFindings)
}
