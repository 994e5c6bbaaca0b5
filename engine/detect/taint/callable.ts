import type { Analysis } from './analysis.ts'
import type { FunctionForm, ModuleForm } from './ir.ts'

/** What keeps a function to its file or class, in its head: the line that it begins on, up to its parameters. */
const HIDES: Readonly<Record<string, RegExp>> = {
  c: /\bstatic\b/,
  cpp: /\bstatic\b/,
  csharp: /\bprivate\b/,
  dart: /\b_\w*\s*$/,
  elixir: /\bdefp\b/,
  go: /\bfunc\s*(?:\([^)]*\)\s*)?[^A-Z\s]\w*\s*$/,
  java: /\bprivate\b/,
  kotlin: /\bprivate\b/,
  lua: /\blocal\b/,
  php: /\bprivate\b/,
  python: /\bdef\s+_(?!_)\w*\s*$/,
  scala: /\bprivate\b/,
  swift: /\b(?:private|fileprivate)\b/,
}

/** Where nothing but these words makes a function one for other files. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  javascript: /\bexport\b|\bexports\b/,
  rust: /\bpub\b/,
  typescript: /\bexport\b|\bexports\b/,
  tsx: /\bexport\b|\bexports\b/,
}

/** The name under which code calls a function: of a constructor that of its class. Empty where there is none. */
export function nameCalled({ name, owner, property }: FunctionForm): string {
  return name === 'constructor' ? (owner ?? '') : name || (property ?? '')
}

/** What is asked of an analysis. */
type Text = Pick<Analysis, 'module' | 'text'> & { knowledge: { model: { languages: readonly string[] } } }

/** Characters of a head that are read. */
const MOST = 400

/**
 * Whether code outside of the file can call the function: it is exported or not hidden, as its language writes that, or nothing in the
 * file calls it by its name. A function that is hidden and called in the file is followed from there.
 */
export function isCallable(a: Text, form: FunctionForm): boolean {
  if (form.property !== undefined) return true
  if (form.name === '' || form.isInner) return false
  const head = readHead(a.text, form)
  const { languages } = a.knowledge.model
  const language = languages.find(name => name in HIDES || name in SHOWS)
  const isShown =
    language !== undefined && (language in HIDES ? !HIDES[language]!.test(head) : SHOWS[language]!.test(head))
  return isShown || form.name === 'constructor' || !isCalled(a, form.name)
}

/** Whether code outside of the file cannot call the function, and some in it does: what it is passed is known from there. */
export function isHidden(a: Text, form: FunctionForm): boolean {
  return form.name !== '' && !form.isInner && !isCallable(a, form)
}

function readHead(text: string, { start, end }: FunctionForm): string {
  const line = text.lastIndexOf('\n', start - 1) + 1
  const whole = text.slice(Math.max(line, start - MOST), Math.min(end, start + MOST))
  // Attributes have parentheses of their own.
  const head = whole.replace(/^(?:\s*#\[[^\n]*\]\s*)+/, '')
  // A method of Go has its receiver in front of its name.
  const open = head.search(/\w\s*\((?!\s*\*?\w+\s+[\w.*]+\s*\)\s*\w+\s*\()/)
  return open === -1 ? head : head.slice(0, open + 1)
}

const calls = new WeakMap<ModuleForm, ReadonlyMap<string, number>>()

/** Whether the name stands before parentheses more often than functions of the name are declared. */
function isCalled({ module, text }: Text, name: string): boolean {
  let counts = calls.get(module)
  if (!counts) {
    const made = new Map<string, number>()
    for (const [, called] of text.matchAll(/(\w+)[!?]?\s*\(/g)) made.set(called!, (made.get(called!) ?? 0) + 1)
    for (const { name: declared } of [...module.functions, ...module.classes.flatMap(({ methods }) => methods)])
      made.set(declared, (made.get(declared) ?? 0) - 1)
    counts = made
    calls.set(module, counts)
  }
  return (counts.get(name) ?? 0) > 0
}
