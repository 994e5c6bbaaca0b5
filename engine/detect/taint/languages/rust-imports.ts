import type { SgNode } from '@ast-grep/napi'
import { listNamedChildren } from './tree.ts'

/** Reads a `use` of any spelling: lists within lists, `self`, other names, and all of a module, which is kept under a name that no program has. */
export function readImports(node: SgNode, imports: Map<string, string>): void {
  const argument = node.field('argument') as SgNode | null
  if (argument) read(argument, '', imports)
}

function read(node: SgNode, before: string, imports: Map<string, string>): void {
  switch (node.kind() as string) {
    case 'scoped_use_list': {
      const path = node.field('path') as SgNode | null
      const list = node.field('list') as SgNode | null
      const base = join(before, path ? dotted(path) : '')
      for (const child of list ? listNamedChildren(list) : []) read(child, base, imports)
      return
    }
    case 'use_list':
      for (const child of listNamedChildren(node)) read(child, before, imports)
      return
    case 'use_as_clause': {
      const path = dotted(node.field('path') as SgNode)
      const alias = (node.field('alias') as SgNode).text()
      imports.set(alias, path === 'self' ? before : join(before, path))
      return
    }
    case 'use_wildcard': {
      const [path] = listNamedChildren(node)
      const all = join(before, path ? dotted(path) : '')
      if (all !== '') imports.set(`${all}.*`, all)
      return
    }
    case 'self':
      if (before !== '') imports.set(lastPart(before), before)
      return
    default: {
      const path = join(before, dotted(node))
      imports.set(lastPart(path), path)
    }
  }
}

function join(before: string, path: string): string {
  if (before === '') return path
  return path === '' ? before : `${before}.${path}`
}

function dotted(node: SgNode): string {
  return node
    .text()
    .replace(/\s+/g, '')
    .replace(/^::|r#/g, '')
    .replace(/::/g, '.')
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}
