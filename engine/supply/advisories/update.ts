import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { EngineError } from '../../base/errors.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import { type HttpAnswer, type HttpClient, HttpFailure, openHttpClient } from '../../sources/http/client.ts'

/** What became of the export of one ecosystem. */
export interface ExportUpdate {
  ecosystem: string
  state: 'downloaded' | 'unchanged' | 'failed'
  detail?: string
}

/** The export of npm, the largest, has a fifth of this. */
const MOST_BYTES = 2 * 1024 ** 3

/**
 * Downloads OSV's exports of ecosystems (`<url>/<ecosystem>/all.zip`) into a directory, those that have changed alone. An export that cannot be
 * downloaded keeps its old file. TOOL_MISSING where none could be.
 */
export async function downloadExports(
  url: string,
  ecosystems: readonly string[],
  directory: string,
  { env, signal, onProgress = () => {} }: Pick<Context, 'env' | 'signal'> & { onProgress?: (done: number) => void },
): Promise<ExportUpdate[]> {
  const client = await openHttpClient({ env, signal, timeoutMs: 60_000 })
  try {
    const updates: ExportUpdate[] = []
    for (const ecosystem of ecosystems) {
      updates.push(await downloadExport(client, url.replace(/\/+$/, ''), ecosystem, directory))
      onProgress(updates.length)
    }
    const failed = updates.filter(({ state }) => state === 'failed')
    if (failed.length > 0 && failed.length === updates.length)
      throw new EngineError(
        'TOOL_MISSING',
        `No advisory export could be downloaded from ${redactCredentials(url)}: ${failed[0]!.detail}.`,
        {
          hint: 'Check the network, the proxy (HTTPS_PROXY) and vulns.export_url.',
        },
      )
    return updates
  } finally {
    await client.close()
  }
}

async function downloadExport(
  client: HttpClient,
  url: string,
  ecosystem: string,
  directory: string,
): Promise<ExportUpdate> {
  const path = join(directory, ecosystem, 'all.zip')
  const etagPath = join(directory, ecosystem, '.etag')
  const etag = readIfAny(etagPath)
  try {
    const answer = await client.request(
      {
        method: 'GET',
        url: `${url}/${encodeURIComponent(ecosystem)}/all.zip`,
        mostBytes: MOST_BYTES,
        ...(etag !== undefined && existsSync(path) && { headers: { 'if-none-match': etag } }),
      },
      checkArchive,
    )
    if (answer.status === 304) return { ecosystem, state: 'unchanged' }
    makeFolders(dirname(path))
    replaceFile(path, answer.body)
    const named = answer.headers.etag
    if (typeof named === 'string') replaceFile(etagPath, named)
    else rmSync(etagPath, { force: true })
    return { ecosystem, state: 'downloaded' }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    return { ecosystem, state: 'failed', detail: error.message }
  }
}

/** A ZIP archive that is there to its end: what a proxy answers instead, or a download that was cut off, is retried. */
function checkArchive(answer: HttpAnswer): HttpAnswer {
  if (answer.status === 304) return answer
  const isArchive = answer.body.subarray(0, 2).toString('latin1') === 'PK'
  if (!isArchive || answer.body.lastIndexOf('PK\x05\x06', undefined, 'latin1') < 0)
    throw new HttpFailure('the answer is no ZIP archive')
  return answer
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

function replaceFile(path: string, content: Buffer | string): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, content)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
