import { findOuterBase } from './inherited.ts'
import type { FunctionForm, ModuleForm } from './ir.ts'
import { stripType } from './sources.ts'

/** What of other files a file may call. */
export interface Leading {
  leads: (name: string) => boolean
  plain: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>
  isCalling: boolean
}

/** The methods of classes that have a base in another file: what they call of the object itself may stand there. */
export function listInheriting({ classes, imports }: ModuleForm, leads: Leading['leads']): ReadonlySet<FunctionForm> {
  const byName = new Map(classes.map(form => [form.name, form]))
  const isInheriting = ({ name }: { name: string }): boolean => {
    const base = findOuterBase(byName, name, imports)
    return base !== undefined && leads(base)
  }
  return new Set(classes.filter(isInheriting).flatMap(({ methods }) => methods))
}

/** Names in the text that lead to other files: of imports, of types, and of variables and fields of these. */
export function listNames(
  { imports, classes }: ModuleForm,
  text: string,
  leads: Leading['leads'],
  plain: Leading['plain'],
): string[] {
  const out = new Set([...imports].filter(([, path]) => leads(path)).map(([local]) => local))
  if (plain.size > 0) for (const [name] of text.matchAll(/\b[A-Za-z_]\w*[?!]?/g)) if (plain.has(name)) out.add(name)
  for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) if (!out.has(name) && leads(name)) out.add(name)
  for (const [, variable, name] of text.matchAll(/\b(\w+)\s*=\s*(?:await\s+)?(?:new\s+)?(\w+)\s*[(.]/g))
    if (out.has(name!)) out.add(variable!)
  for (const { fields } of classes)
    for (const { name, type } of fields) if (type !== undefined && out.has(stripType(type))) out.add(name)
  return [...out]
}
