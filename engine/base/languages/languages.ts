import type { Language } from './language.ts'
import { LINGUIST } from './linguist.gen.ts'
import { OWN_LANGUAGES } from './own.ts'

export type { Language } from './language.ts'

/**
 * Every language that svc knows, by name. Where an extension belongs to several, one is chosen for good: `.h` is C, `.m`
 * Objective-C, `.pl` and `.t` Perl, `.ts` TypeScript, `.cls` Apex, `.v` Verilog, `.fs` F#, `.r` R, `.d` D, `.pp` Puppet,
 * `.s` GNU assembly. Only a shebang or a mode line says otherwise, and only where the name says nothing: `.inc` is what it begins with, else C.
 */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  OWN_LANGUAGES.map(language => [language.name, withLinguist(language)]),
)

/** The language with what linguist alone knows of its files; what our own table says goes before it. */
function withLinguist(language: Language): Language {
  const marks = LINGUIST[language.name]
  if (!marks) return language
  const join = (own: readonly string[] = [], more: readonly string[] = []) => [...own, ...more]
  return {
    ...language,
    extensions: join(language.extensions, marks.extensions),
    files: join(language.files, marks.files),
    interpreters: join(language.interpreters, marks.interpreters),
  }
}

const byExtension = index(language => language.extensions)
const byFile = index(language => language.files)
const byStem = index(({ stems }) => stems?.map(stem => stem.toLowerCase()))
const byInterpreter = index(language => language.interpreters)
const byAlias = index(({ name, aliases, extensions }) => [name, ...(aliases ?? []), ...(extensions ?? [])])

/** Endings that say "a form of the file without me": `config.yml.example` is YAML. */
const FORMS = new Set(['in', 'example', 'sample', 'dist', 'template', 'tmpl', 'bak', 'orig'])

/** Suffixes of templates: `Dockerfile.j2` is a Dockerfile, once its blocks are blanked. */
const TEMPLATES = new Set(['j2', 'jinja', 'jinja2', 'tftpl', 'tpl', 'gotmpl', 'tmpl', 'template', 'erb'])
/** Languages whose templates are read so; what is markup has rules of its own for the template's language. */
const RENDERED = new Set(['yaml', 'dockerfile', 'hcl', 'bash', 'json', 'toml', 'ini', 'dotenv', 'properties'])

/** JSON that is where manifests are kept, or is called as they are: it is YAML too, and has the rules of YAML. */
const MANIFEST =
  /(?:^|\/)(?:k8s|kube\w*|manifests?|kustomize|helm|charts?|openshift|argo\w*|flux\w*|cloud-?formation|cfn|deploy\w*|infra\w*|clusters?)\/(?:[^/]+\/)*[^/]+\.json$|(?:^|\/)(?:[^/]*[._-])?(?:pods?|deploy(?:ment)?s?|services?|svc|ingress(?:es)?|daemon-?sets?|stateful-?sets?|replica-?sets?|cron-?jobs?|jobs?|(?:cluster-?)?role(?:-?binding)?s?|rbac|namespaces?|k8s|kube\w*|manifests?|cloud-?formation|cfn|stacks?|template|docker-compose|compose)(?:[._-][^/]*)?\.json$/i

/**
 * The language of a file by its name alone; null where neither name nor extension tells. Costs well under a microsecond.
 * The base name counts as it is written, the extension in any case.
 */
export function detectLanguage(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found = byName(name)
  return found === 'json' && MANIFEST.test(path) ? 'yaml' : found
}

function byName(name: string): string | null {
  const known = byFile.get(name)
  if (known !== undefined) return known
  const dot = name.lastIndexOf('.')
  if (dot < 0) return byWords(name)
  const second = name.lastIndexOf('.', dot - 1)
  if (second >= 0) {
    const compound = byExtension.get(name.slice(second + 1).toLowerCase())
    if (compound !== undefined) return compound
  }
  const extension = name.slice(dot + 1).toLowerCase()
  if (TEMPLATES.has(extension)) {
    const inner = byName(name.slice(0, dot))
    if (inner !== null && RENDERED.has(inner)) return inner
  }
  const found = byExtension.get(extension)
  if (found !== undefined) return found
  const stem = byWords(name)
  if (stem !== null) return stem
  return FORMS.has(extension) ? byName(name.slice(0, dot)) : null
}

/** By the first word of the name, or the last, in any case: `DOCKERFILE`, `Dockerfile-prod`, `Dockerfile_x`, `prod-Dockerfile`. */
function byWords(name: string): string | null {
  const first = /^\.?[A-Za-z]+(?=[-_.]|$)/.exec(name)?.[0]
  const last = /(?<=[-_])[A-Za-z]+$/.exec(name)?.[0]
  return byStem.get(first?.toLowerCase() ?? '') ?? byStem.get(last?.toLowerCase() ?? '') ?? null
}

/** The language that an editor, a code fence or an attribute calls so: a name, an alias or an extension, in any case. */
export function findLanguageByAlias(name: string): string | undefined {
  return byAlias.get(name.toLowerCase())
}

/**
 * The language of a file by its name, else by its first line: the interpreter of a `#!` line (through `env`, with options,
 * assignments and version digits), an editor's mode line, or an opening that only one language has.
 */
export function detectLanguageOfText(path: string, firstLine: string): string | null {
  const named = detectLanguage(path)
  if (named !== null) return named
  // Nothing that says a language stands further along, and a first line may be a whole minified file.
  const line = firstLine.slice(firstLine.charCodeAt(0) === 0xfeff ? 1 : 0, 500)
  if (line.startsWith('#!')) {
    const program = interpreter(line.slice(2))
    const found = byInterpreter.get(program) ?? byInterpreter.get(program.replace(/-?\d[\d.]*$/, ''))
    if (found !== undefined) return found
  }
  const mode =
    /-\*-\s*(?:[^\n]*?\bmode:\s*)?([\w#+-]+)\s*(?:;[^\n]*?)?-\*-/i.exec(line) ??
    /\b(?:vim?|ex):.*?\b(?:ft|filetype|syntax)=(\w+)/.exec(line)
  if (mode) {
    const found = findLanguageByAlias(mode[1]!)
    if (found !== undefined) return found
  }
  if (line.startsWith('<?php')) return 'php'
  if (line.startsWith('<?xml')) return 'xml'
  if (/^\s*<(?:!doctype )?html\b/i.test(line)) return 'html'
  // What Pascal is included from, and its installers.
  if (
    /^\s*(?:\(\*|\{\$|(?:unit|program|procedure|function|uses)\s+\w+[^{=]*$|(?:begin|var|const|interface)\s*$)/i.test(
      line,
    )
  )
    return null
  return /\.inc$/i.test(path) ? 'c' : null
}

/** Bytes of a first line that are looked at. */
const LINE_START = 256

/** As `detectLanguageOfText`, of the beginning of a file's bytes. */
export function detectLanguageOfContent(path: string, bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LINE_START))
  const end = start.indexOf(10)
  return detectLanguageOfText(path, start.toString('latin1', 0, end === -1 ? start.length : end))
}

/** Languages whose rules read files of a language beside its own: those in which what it holds may be written. */
export function listEmbeddedLanguages(language: string): readonly string[] {
  if (language === 'jupyter') return ['json', 'python', ...KERNELS]
  if (language === 'json') return ['yaml']
  return language === 'yaml' || language === 'hcl' ? ['json'] : []
}

/** Languages of kernels beside Python, which have rules. */
const KERNELS = [
  'bash',
  'javascript',
  'typescript',
  'ruby',
  'scala',
  'kotlin',
  'java',
  'csharp',
  'go',
  'rust',
  'cpp',
  'c',
  'sql',
  'php',
  'swift',
]

/** `/usr/bin/env -S LANG=C python3.11 -u` → `python3.11`. */
function interpreter(command: string): string {
  const words = command.trim().split(/\s+/)
  let program = base(words[0] ?? '')
  if (program === 'env') {
    let at = 1
    // -u and -C take a word of their own; -S is followed by the command itself.
    while (at < words.length && /^-|=/.test(words[at]!)) at += /^-[uC]$/.test(words[at]!) ? 2 : 1
    program = base(words[at] ?? '')
  }
  return program.toLowerCase().replace(/\.exe$/, '')
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

const TEST_DIRECTORY =
  /(?:^|\/)(?:[tT]ests?|testsuite|test[-_]?progs?|(?:[\w.-]+[-_])?[tT]ests|unit[-_]?tests?|integration[-_]tests?|fuzz(?:ing|ers?)?|__tests__|__mocks__|testdata|[\w.-]+\.Tests?|(?:androidT|integrationT|functionalT|unitT)est)\//
const RUBY_SPEC = /(?:^|\/)spec\/.*\.rb$/
const TEST_NAME =
  /(?:^|\/)(?:test_[^/]*|conftest\.py|[^/]*_(?:test|tests|unittest)\.\w+|(?:test-[^/]*|[^/]*-tests?)\.(?:c|cc|cpp|cxx)|[^/]*[._](?:test|spec)\.(?:[cm]?[jt]sx?|vue|svelte)|(?:[^/]*[a-z\d])?(?:Tests?|TestCase)\.(?:java|kts?|scala|groovy|cs|vb|fs|php|swift)|[^/]*[a-z\d]Spec\.(?:scala|groovy|kts?|hs)|[^/]*_spec\.(?:rb|lua|cr)|[^/]*\.phpt|[^/]*[a-z\d]UnitTest(?:\.\d+)?\.inc)$/

/**
 * Whether a path is that of a test, which lowers the confidence of textual rules: the specification's `test_` prefix,
 * `_test.py` suffix and `tests` directory, and what other languages' runners take for one. `latest_x.py` and `contest/` are none.
 */
export function isTestPath(path: string): boolean {
  return TEST_DIRECTORY.test(path) || TEST_NAME.test(path) || RUBY_SPEC.test(path)
}

function index(keys: (language: Language) => readonly string[] | undefined): Map<string, string> {
  const map = new Map<string, string>()
  // The first to claim a key keeps it; a test refuses a second claim on an extension, a file or an interpreter.
  for (const language of LANGUAGES.values()) {
    for (const key of keys(language) ?? []) if (!map.has(key)) map.set(key, language.name)
  }
  return map
}
