import type { Component, Inventory } from '../../../engine/supply/inventory/component.ts'
import { readInventory } from '../../../engine/supply/inventory/read.ts'
import { folder } from '../../made/folder.ts'

/** What a directory with these files is made of. */
export function inventoryOf(contents: Record<string, string>): Promise<Inventory> {
  const root = folder(contents)
  const paths = Object.keys(contents).sort()
  const files = paths.map(path => ({ path, size: contents[path]!.length, language: null, in_test: false }))
  return readInventory({ root, kind: 'folder', files, skipped: [] })
}

/** Its components by id. */
export async function componentsOf(contents: Record<string, string>): Promise<Map<string, Component>> {
  return new Map((await inventoryOf(contents)).components.map(component => [component.id, component]))
}
