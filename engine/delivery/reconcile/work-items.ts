import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readNamedSettings, readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { fillInDefaults, findFaults, type JsonSchema } from '../../base/json-schema.ts'
import SCHEMA from './schema.gen.json' with { type: 'json' }

/** An issue, story or bug of a provider. */
export interface WorkItem {
  key: string
  title: string
  /** As the provider calls it. */
  state: string
  type?: string
  url?: string
  commits: string[]
  branches: string[]
  updated?: string
}

/** Where a repository keeps its work items, if no other file is named. */
export const WORK_ITEMS_PATHS = ['work-items.yaml', '.svc/work-items.yaml'] as const

const MOST_BYTES = 32 << 20

/**
 * Reads a file of work items (YAML or JSON). NOT_FOUND where there is none, CONFIG_INVALID with the line of every fault: an item that is not understood
 * would make commits look as if they had none.
 */
export async function readWorkItems(
  root: string,
  named: string | undefined,
  { cwd, surface }: Pick<Context, 'cwd' | 'surface'>,
): Promise<{ path: string; items: WorkItem[] }> {
  if (named === undefined) {
    for (const path of WORK_ITEMS_PATHS) {
      const bytes = readSettings(root, path, { most: MOST_BYTES })
      if (bytes) return { path, items: await parseWorkItems(bytes, path) }
    }
    throw new EngineError('NOT_FOUND', `There is no file ${WORK_ITEMS_PATHS[0]}.`, {
      hint: 'Name a file of work items with --work-items (docs/reconcile.md).',
    })
  }
  const absolute = resolve(cwd, named)
  const isOwn = isInside(root, absolute)
  if (!isOwn && surface !== 'cli') throw new EngineError('PATH_ESCAPES', `The path ${named} is outside the project.`)
  const path = isOwn ? relative(root, absolute).split(sep).join('/') : isAbsolute(named) ? absolute : named
  const limits = { most: MOST_BYTES }
  const bytes = isOwn ? readSettings(root, path, limits) : readNamedSettings(absolute, path, limits)
  if (!bytes) throw new EngineError('NOT_FOUND', `There is no file ${path}.`)
  return { path, items: await parseWorkItems(bytes, path) }
}

async function parseWorkItems(bytes: Uint8Array, path: string): Promise<WorkItem[]> {
  const { parseYaml } = await import('../../sources/config/parse.ts')
  const { refuseConfig } = await import('../../sources/config/validate.ts')
  const refuse = (faults: Parameters<typeof refuseConfig>[0]) =>
    refuseConfig(faults, `Correct the named line of ${path}; docs/reconcile.md lists every key.`)
  const { value, faults, placeOf } = parseYaml(bytes, path, MOST_BYTES)
  if (faults.length > 0) throw refuse(faults)
  const filled = fillInDefaults(SCHEMA as JsonSchema, value ?? {})
  const found = findFaults(SCHEMA as JsonSchema, filled)
  if (found.length > 0)
    throw refuse(
      found.map(fault => ({ message: fault.message, place: placeOf(fault.path, fault.known ? 'key' : 'value') })),
    )
  const { work_items } = filled as { work_items: (Omit<WorkItem, 'commits' | 'branches'> & Partial<WorkItem>)[] }
  const keys = new Map<string, number>()
  for (const [index, { key }] of work_items.entries()) {
    const before = keys.get(key)
    if (before !== undefined)
      throw refuse([
        {
          message: `The key ${key} is used twice.`,
          place: placeOf(['work_items', String(index), 'key'], 'value'),
        },
      ])
    keys.set(key, index)
  }
  return work_items.map(item => ({ ...item, commits: item.commits ?? [], branches: item.branches ?? [] }))
}

/** Whether a provider's state means that the item is done or will not be done. */
export function isClosed({ state }: Pick<WorkItem, 'state'>): boolean {
  return /^(?:closed|done|resolved|completed?|merged|removed|rejected|cancell?ed|won'?t (?:fix|do)|duplicate|obsolete)$/i.test(
    state.trim(),
  )
}
