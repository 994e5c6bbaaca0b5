import type { Syntax } from './syntax.ts'

/** Reads a `use` of any spelling: lists within lists, `self`, other names, and all of a module, which is kept under a name that no program has. */
export function readImports(node: Syntax, imports: Map<string, string>): void {
  const argument = node.field('argument')
  if (argument) read(argument, '', imports)
}

function read(node: Syntax, before: string, imports: Map<string, string>): void {
  switch (node.kind) {
    case 'scoped_use_list': {
      const path = node.field('path')
      const list = node.field('list')
      const base = join(before, path ? dotted(path) : '')
      for (const child of list?.parts ?? []) read(child, base, imports)
      return
    }
    case 'use_list':
      for (const child of node.parts) read(child, before, imports)
      return
    case 'use_as_clause': {
      const path = dotted(node.at('path'))
      const alias = node.at('alias').text
      imports.set(alias, path === 'self' ? before : join(before, path))
      return
    }
    case 'use_wildcard': {
      const [path] = node.parts
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

function dotted(node: Syntax): string {
  return node.text
    .replace(/\s+/g, '')
    .replace(/^::|r#/g, '')
    .replace(/::/g, '.')
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}
