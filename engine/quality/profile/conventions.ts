import { DOCSTRING_STYLES, IMPORT_LINES, type Mark, TEST_STYLES } from './convention-marks.ts'
import { findForm, findNameStyle, listDeclarations } from './declarations.ts'

/** How often each form occurs, most frequent first. */
export type Counts = Record<string, number>

/** What was counted in the files of one language. */
export interface LanguageConventions {
  language: string
  /** Files that were read: source files and tests. */
  files: number
  functions: number
  types: number
  /** Functions and types that can be used from outside, in source files; those of tests are not counted. */
  public_declarations: number
  documented: number
  /** Functions in which types can be written, and those that have any. */
  typeable: number
  typed: number
  naming: { functions: Counts; types: Counts }
  /** Names of several words, and those that the convention of the language does not accept. */
  names: number
  deviating_names: number
  /** Where the first deviating names are. */
  deviations: { name: string; file: string; line: number }[]
  /** What the names are compared with. */
  convention?: string
  docstring_styles: Counts
  test_styles: Counts
  /** `tabs` or a number of spaces. */
  indentation: Counts
  /** Files with at least two imports in a row, and those in which each row is in alphabetical order. */
  import_files: number
  sorted_imports: number
  file_names: Counts
}

/** A text to count. */
export interface ConventionFile {
  path: string
  language: string
  in_test: boolean
  text: string
}

const SHOWN = 5

/** Counts the conventions of each language, most files first. Work grows linearly with the texts. */
export function measureConventions(files: Iterable<ConventionFile>): LanguageConventions[] {
  const all = new Map<string, LanguageConventions>()
  for (const file of files) {
    let own = all.get(file.language)
    if (!own) {
      own = makeEmpty(file.language)
      all.set(file.language, own)
    }
    countFile(own, file)
  }
  return [...all.values()].map(sortCounts).sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1))
}

/** The most frequent form, with its share of all, 0 to 1; undefined where nothing was counted. */
export function findDominant(counts: Counts): { name: string; count: number; share: number } | undefined {
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const [first] = Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return first && { name: first[0], count: first[1], share: first[1] / total }
}

function countFile(own: LanguageConventions, file: ConventionFile): void {
  const { path, language, in_test, text } = file
  own.files++
  countDeclarations(own, file)
  for (const mark of DOCSTRING_STYLES) if (matches(mark, language, text)) add(own.docstring_styles, mark.name)
  if (in_test) for (const mark of TEST_STYLES) if (matches(mark, language, text)) add(own.test_styles, mark.name)
  const lines = text.split('\n')
  const indentation = measureIndentation(lines)
  if (indentation) add(own.indentation, indentation)
  const order = measureImports(lines, language)
  if (order !== undefined) {
    own.import_files++
    if (order) own.sorted_imports++
  }
  const style = findFileNameStyle(path)
  if (style) add(own.file_names, style)
}

function countDeclarations(own: LanguageConventions, { path, language, in_test, text }: ConventionFile): void {
  const form = findForm(language)
  if (!form) return
  own.convention = form.names.source
  for (const { name, kind, line, is_public, documented, typed } of listDeclarations(text, form)) {
    own[kind === 'function' ? 'functions' : 'types']++
    if (is_public && !in_test) {
      own.public_declarations++
      if (documented) own.documented++
    }
    if (typed !== undefined) {
      own.typeable++
      if (typed) own.typed++
    }
    const style = findNameStyle(name)
    if (style === undefined) continue
    const place = kind === 'function' ? 'functions' : 'types'
    add(own.naming[place], style)
    own.names++
    if ((form.names[place] as readonly string[]).includes(style)) continue
    own.deviating_names++
    if (own.deviations.length < SHOWN) own.deviations.push({ name, file: path, line })
  }
}

function matches({ languages, pattern }: Mark, language: string, text: string): boolean {
  return languages.includes(language) && pattern.test(text)
}

/** The step by which lines are indented more than the line before, most frequent one; undefined in a file without any. */
function measureIndentation(lines: readonly string[]): string | undefined {
  const steps: Counts = {}
  let before = 0
  for (const line of lines) {
    if (line.trim() === '') continue
    let width = 0
    while (line[width] === ' ') width++
    if (line[width] === '\t' && width === 0) {
      add(steps, 'tabs')
      before = 0
      continue
    }
    // Continuation lines are aligned by any number; blocks are not.
    const step = width - before
    if (step === 2 || step === 4 || step === 8 || step === 3) add(steps, String(step))
    before = width
  }
  return findDominant(steps)?.name
}

/** Whether each row of imports is in alphabetical order; undefined where no row has two. */
function measureImports(lines: readonly string[], language: string): boolean | undefined {
  const form = IMPORT_LINES.find(({ languages }) => languages.includes(language))
  if (!form) return undefined
  let isMeasured = false
  let isSorted = true
  let before: string | undefined
  for (const line of lines) {
    const module = form.pattern.exec(line.slice(0, 500))?.[1]?.toLowerCase()
    if (module !== undefined && before !== undefined) {
      isMeasured = true
      if (module < before) isSorted = false
    }
    before = module
  }
  return isMeasured ? isSorted : undefined
}

/** The style of a file's name without its endings; undefined for one word, which fits all. */
export function findFileNameStyle(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).split('.')[0] ?? ''
  if (name.includes('-') && /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(name)) return 'kebab-case'
  const style = findNameStyle(name)
  return style === 'other' ? undefined : style
}

function add(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

function makeEmpty(language: string): LanguageConventions {
  return {
    language,
    files: 0,
    functions: 0,
    types: 0,
    public_declarations: 0,
    documented: 0,
    typeable: 0,
    typed: 0,
    naming: { functions: {}, types: {} },
    names: 0,
    deviating_names: 0,
    deviations: [],
    docstring_styles: {},
    test_styles: {},
    indentation: {},
    import_files: 0,
    sorted_imports: 0,
    file_names: {},
  }
}

function sortCounts(own: LanguageConventions): LanguageConventions {
  const sorted = (counts: Counts) =>
    Object.fromEntries(Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
  return {
    ...own,
    naming: { functions: sorted(own.naming.functions), types: sorted(own.naming.types) },
    docstring_styles: sorted(own.docstring_styles),
    test_styles: sorted(own.test_styles),
    indentation: sorted(own.indentation),
    file_names: sorted(own.file_names),
  }
}
