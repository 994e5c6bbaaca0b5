import type { Readers, Use } from './uses.ts'

/** Languages whose types lead to their files without an import. */
export const BY_TYPE = /^(?:java|kotlin|csharp|php|ruby)$/

/** A use as its text looks, before anything is parsed: where it stands, and what it would be asked for by. */
export type Candidate = Pick<Use, 'kind' | 'name'> & { at: number }

/** How far behind the word of a site a value is looked for. */
const AFTER = 120

/** Sites, and candidates, of one file that are looked at. */
const MOST_SITES = 500
const MOST_CANDIDATES = 300

/** Words behind which a value may stand, and the sign that follows: of a call, an option or a field. A call of Ruby needs none. */
export interface Sites {
  words: ReadonlySet<string>
  /** Sticky. */
  sign: RegExp | undefined
}

export function makeSites(language: string, words: ReadonlySet<string>): Sites {
  return { words, sign: language === 'ruby' ? undefined : /["'`\])]{0,2}\s*(?:[(:=,[{<]|->)/y }
}

/**
 * Where the words of sites end, in order. Word by word, and not by one expression of all words: V8 compiles an expression without its
 * optimizations once a thread has compiled much, and such a one of some hundred alternatives takes thirty times as long then.
 */
export function* findSites(text: string, { words, sign }: Sites): Generator<number> {
  for (let at = 0; at < text.length; at++) {
    if (!isWord(text.charCodeAt(at))) continue
    const start = at
    do at++
    while (isWord(text.charCodeAt(at)))
    if (!words.has(text.slice(start, at))) continue
    if (sign) sign.lastIndex = at
    if (!sign || sign.test(text)) yield at
  }
}

/** As `\w` has it. */
function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

const CHAIN = /(?<![\w$.@"'])[A-Za-z_$][\w$]*(?:(?:\.|::|\?\.)\w+){0,3}(?![\w$]*\s*\()/g

/**
 * Names behind words of sites that may be constants of other files, as the text has them; cheap, and most files have none. `sites` are the
 * words that stand before values that rules judge.
 */
export function listConstantCandidates(language: string, text: string, sites: Sites): Candidate[] {
  const isByType = BY_TYPE.test(language)
  let imported: ReadonlyMap<string, string> | undefined
  const out: Candidate[] = []
  for (const [start, end] of listWindows(text, sites)) {
    CHAIN.lastIndex = start
    for (let chain = CHAIN.exec(text); chain && chain.index < end; chain = CHAIN.exec(text)) {
      if (out.length >= MOST_CANDIDATES) return out
      const [first, ...rest] = chain[0].split(/\.|::|\?\./)
      const last = rest.at(-1) ?? first!
      if (isByType ? rest.length === 0 || !/^[A-Z]/.test(first!) : rest.length === 0 && !/^[A-Z][A-Z0-9_]+$/.test(last))
        continue
      // What is imported is read once anything may be of it, and nothing is where that is nothing.
      if (!isByType) imported ??= mapImported(language, text)
      if (imported?.size === 0) return []
      const name = imported ? addNames(imported.get(first!), rest) : [first, ...rest].join('.')
      if (name && !isImport(text, chain.index)) out.push({ kind: 'program', name, at: chain.index })
    }
  }
  return out
}

/** The stretches behind words of sites, joined where they meet. */
function listWindows(text: string, sites: Sites): [start: number, end: number][] {
  const out: [number, number][] = []
  let count = 0
  for (const start of findSites(text, sites)) {
    if (count++ === MOST_SITES) break
    const last = out.at(-1)
    if (last && start <= last[1]) last[1] = start + AFTER
    else out.push([start, start + AFTER])
  }
  return out
}

/** Whether a place is on a line that only brings names of other files. */
function isImport(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at) + 1
  return at - start < 500 && /^[ \t]*(?:import|from|using|use|package)\b/.test(text.slice(start, at))
}

function addNames(module: string | undefined, names: readonly string[]): string | undefined {
  return module === undefined ? undefined : [module, ...names].join('.')
}

/** Keys that a text reads of the environment, or of files of settings. */
export function listReadCandidates(text: string, { environment, settings }: Readers): Candidate[] {
  const out: Candidate[] = []
  const list = (kind: 'environment' | 'settings', names: readonly string[]) => {
    if (!names.some(name => text.includes(name))) return
    const form = new RegExp(
      `(?:${names.map(escapeExpression).join('|')})[\\s.(\\[?]{1,4}(?:[a-z]{1,8}\\()?\\s*["']?([\\w.-]{1,200})`,
      'g',
    )
    for (const found of text.matchAll(form)) {
      if (out.length >= MOST_CANDIDATES) return
      out.push({ kind, name: found[1]!, at: found.index })
    }
  }
  list('environment', [...environment.calls, ...environment.members])
  list(
    'settings',
    settings.calls.map(call => call.replace('*', '')),
  )
  if (settings.annotations.length > 0) {
    const form = new RegExp(
      `@(?:${settings.annotations.join('|')})\\((?:(?:name|value) ?= ?)?"(?:\\$\\{)?([\\w.-]{1,200})`,
      'g',
    )
    for (const found of text.matchAll(form)) out.push({ kind: 'settings', name: found[1]!, at: found.index })
  }
  return out
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Local names of what a file imports, by full name as its adapter has it. */
function mapImported(language: string, text: string): ReadonlyMap<string, string> {
  const out = new Map<string, string>()
  if (language === 'python') mapPython(text, out)
  else if (language === 'go')
    for (const [, path = '', last = ''] of text.matchAll(/"([\w./-]{0,200}?([\w-]+))"/g)) out.set(last, path)
  else mapJavascript(text, out)
  return out
}

function mapPython(text: string, out: Map<string, string>): void {
  for (const [, module = '', names = ''] of matchImports(
    text,
    /[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{0,4000}\)|[^\n]*)/y,
  ))
    for (const [, name = '', alias] of names.matchAll(/(\w+)(?:\s+as\s+(\w+))?/g))
      out.set(alias ?? name, `${module}.${name}`)
  for (const [, names = ''] of matchImports(text, /[ \t]*import[ \t]+([^\n(]*)/y))
    for (const [, name = '', alias] of names.matchAll(/([\w.]+)(?:\s+as\s+(\w+))?/g)) {
      const first = name.split('.')[0]!
      out.set(alias ?? first, alias === undefined ? first : name)
    }
}

/** What a sticky expression matches at the beginning of lines with an import, which are few; each line is tried once. */
function* matchImports(text: string, form: RegExp): Iterable<RegExpExecArray> {
  for (let at = text.indexOf('import'); at !== -1; at = text.indexOf('import', at)) {
    form.lastIndex = text.lastIndexOf('\n', at) + 1
    const found = form.exec(text)
    const end = text.indexOf('\n', found ? found.index + found[0].length : at)
    if (found) yield found
    if (end === -1) return
    at = end
  }
}

/** Only modules of the program: their names begin with a dot, or with the sign of its root. */
function mapJavascript(text: string, out: Map<string, string>): void {
  const forms = [
    /^[ \t]*import\b([^'"]{1,4000})from\s*['"]((?:\.|[@~]\/)[^'"\n]*)['"]/gm,
    /\b(?:const|let|var)[ \t]+([^=;]{1,1000})=\s*(?:await\s+)?(?:require|import)\s*\(\s*['"]((?:\.|[@~]\/)[^'"\n]*)['"]\s*\)/g,
  ]
  for (const form of forms)
    for (const [, names = '', module = ''] of text.matchAll(form)) {
      const braced = /\{([^}]*)\}/.exec(names)
      for (const [, name = '', alias] of (braced?.[1] ?? '').matchAll(
        /(?:type\s+)?([\w$]+)(?:\s*(?:as\s|:)\s*([\w$]+))?/g,
      ))
        out.set(alias ?? name, name === 'default' ? module : `${module}.${name}`)
      for (const [name] of names.replace(/\{[^}]*\}/, '').matchAll(/[\w$]+/g))
        if (name !== 'as' && name !== 'type') out.set(name, module)
    }
}
