import { readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parse } from '@ast-grep/napi'
import ignore from 'ignore'
import { ROOT, textOf } from './root.ts'

/** An import of one module by another. */
export interface Import {
  /** Path of the importing file from the project's root. */
  from: string
  /** Path of the imported file from the root, or the package's or built-in module's name. */
  to: string
  line: number
  /** Erased by the compiler: it costs nothing at run time. */
  typeOnly: boolean
  /** `import()`: loaded when that line is reached. */
  lazy: boolean
}

/** Paths of the project's own files, from the root: all but what .gitignore leaves out. */
export function projectFiles(): string[] {
  const ignored = ignore().add(textOf('.gitignore')).add('.git')
  const found: string[] = []
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (ignored.ignores(entry.isDirectory() ? `${path}/` : path)) continue
      if (entry.isDirectory()) visit(path)
      else found.push(path)
    }
  }
  visit('')
  return found.sort()
}

/** Every import that a TypeScript or JavaScript text holds, by its syntax tree. */
export function importsOf(path: string, text: string): Import[] {
  const root = parse('TypeScript', text).root()
  const found: Import[] = []
  const add = (node: ReturnType<typeof root.find>, specifier: string | undefined, typeOnly: boolean, lazy: boolean) => {
    if (!node || specifier === undefined) return
    found.push({ from: path, to: target(path, specifier), line: node.range().start.line + 1, typeOnly, lazy })
  }
  for (const kind of ['import_statement', 'export_statement']) {
    for (const node of root.findAll({ rule: { kind } })) {
      add(node, node.field('source')?.text().slice(1, -1), isTypeOnly(node.text()), false)
    }
  }
  for (const node of root.findAll('import($SOURCE)')) {
    const source = node.getMatch('SOURCE')?.text() ?? ''
    if (/^['"]/.test(source)) add(node, source.slice(1, -1), false, true)
  }
  return found
}

/** `import type …`, `export type … from`, or braces in which every name is a type. */
function isTypeOnly(statement: string): boolean {
  if (/^(import|export)\s+type\b/.test(statement)) return true
  const names = /^(?:import|export)\s*\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .map(name => name.trim())
  return names?.some(Boolean) === true && names.filter(Boolean).every(name => name.startsWith('type '))
}

function target(from: string, specifier: string): string {
  return specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(from), specifier)) : specifier
}
