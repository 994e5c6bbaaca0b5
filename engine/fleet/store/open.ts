import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../../base/errors.ts'
import { openFolderObjects } from './folder-objects.ts'
import type { ObjectStore } from './objects.ts'
import { createRunStore, type RunStore } from './run-store.ts'

/** Where a store's credentials come from, and what ends its work. */
export interface StoreOptions {
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Runs of a project that stay when one is put; all, where left out. */
  retention?: number
}

/**
 * Opens the run store of `fleet.store`: `file:///<directory>` or `s3://<bucket>/<prefix>`. The caller closes it. CONFIG_INVALID for any
 * other address, and for a bucket without credentials in the environment.
 */
export async function openRunStore(url: string, options: StoreOptions): Promise<RunStore> {
  const objects = await openObjects(url, options)
  return createRunStore(objects, async (key, runFolder) => {
    const { publishRun } = await import('./publish.ts')
    await publishRun(objects, key, runFolder, options.retention === undefined ? {} : { retention: options.retention })
  })
}

/** Opens the objects of a store's address. */
export async function openObjects(url: string, options: StoreOptions): Promise<ObjectStore> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol === 'file:' && parsed.host === '') {
    const path = fileURLToPath(parsed)
    if (isAbsolute(path) && path !== '/') return openFolderObjects(path.replace(/(?<=.)[\\/]$/, ''))
  }
  if (url.startsWith('s3://')) {
    const { openBucketObjects } = await import('./bucket-objects.ts')
    const { readBucketSettings } = await import('./bucket-settings.ts')
    return openBucketObjects(readBucketSettings(url, options.env), options)
  }
  throw new EngineError('CONFIG_INVALID', `fleet.store cannot be ${JSON.stringify(url)}.`, {
    hint: 'Set it to a directory (file:///srv/svc-runs) or a bucket (s3://bucket/prefix).',
  })
}
