import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../engine/base/context.ts'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { checkout, git, realPaths } from './checkout.ts'
import { inFolder, type Soaked } from './program.ts'
import { Random } from './random.ts'
import { ruleExamples } from './samples.ts'

/** What an edit may use. */
interface Place {
  root: string
  random: Random
  /** A file of the repository, if one is left. */
  file: () => string
  example: () => { name: string; text: string }
}

const CONFIGS = [
  '',
  'scan: { max_file_bytes: 2000 }\n',
  'scan_exclude: [docs, "*.yaml"]\n',
  'packs: { disable: [python] }\n',
  'packs: { enable: [java, go] }\n',
  'severity_rescoring_enabled: true\n',
  'gate: { fail_on: [low] }\n',
]
const ATTRIBUTES = [
  '',
  '*.ts linguist-vendored\n',
  '*.yaml linguist-generated\n',
  '*.md working-tree-encoding=UTF-16LE\n',
  '* text=auto\n',
  '*.ts eol=crlf\n',
  '*.py linguist-language=Ruby\n',
]

/** Everything that decides what a scan comes to, changed in some way. */
const EDITS: Record<string, (place: Place) => void> = {
  'write over': ({ root, file, example }) => write(root, file(), example().text),
  'write under the same time': ({ root, file, example }) => {
    const path = join(root, file())
    const { text } = example()
    if (!existsSync(path)) return
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, text.padEnd(before.length).slice(0, before.length))
    utimesSync(path, 1_600_000_000, 1_600_000_000)
  },
  append: ({ root, file, example }) => {
    const path = file()
    write(
      root,
      path,
      `${existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''}\n${example().text}\n`,
    )
  },
  'insert above': ({ root, file }) => {
    const path = file()
    if (existsSync(join(root, path))) write(root, path, `\n\n${readFileSync(join(root, path), 'utf8')}`)
  },
  create: ({ root, random, example }) => {
    const { name, text } = example()
    write(root, `new${random.below(6)}/${name}`, text)
  },
  remove: ({ root, file }) => rmSync(join(root, file()), { force: true }),
  rename: ({ root, random, file }) => {
    const [from, to] = [file(), `moved${random.below(6)}/${file()}`]
    if (!existsSync(join(root, from))) return
    mkdirSync(dirname(join(root, to)), { recursive: true })
    renameSync(join(root, from), join(root, to))
  },
  mode: ({ root, random, file }) => {
    const path = join(root, file())
    if (existsSync(path)) chmodSync(path, random.pick([0o644, 0o755]))
  },
  'replace by a link': ({ root, file }) => {
    const path = join(root, file())
    rmSync(path, { force: true })
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync('../README.md', path)
  },
  configuration: ({ root, random }) => write(root, '.svc/config.yaml', random.pick(CONFIGS)),
  'configuration of a folder': ({ root, random }) =>
    write(root, 'engine/.svc/config.yaml', random.pick(CONFIGS.slice(2, 6))),
  rule: ({ root, random }) => {
    const word = random.pick(['import', 'return', 'function'])
    write(root, '.svc/rules/local-word.yaml', ruleFor(word, random.pick(['low', 'high'])))
  },
  'no rule': ({ root }) => rmSync(join(root, '.svc/rules'), { recursive: true, force: true }),
  suppression: ({ root, random }) =>
    write(
      root,
      '.svc/suppressions.yaml',
      `- { rule: ${random.pick(['local-word', 'python-yaml-unsafe-load'])}, file: "**", reason: "as it is" }\n`,
    ),
  'no suppression': ({ root }) => rmSync(join(root, '.svc/suppressions.yaml'), { force: true }),
  'inline suppression': ({ root, file }) => {
    const path = file()
    if (existsSync(join(root, path)))
      write(root, path, `# svc-ignore: local-word -- as it is\n${readFileSync(join(root, path), 'utf8')}`)
  },
  attributes: ({ root, random }) => write(root, '.gitattributes', random.pick(ATTRIBUTES)),
  ignore: ({ root, random }) => write(root, '.gitignore', random.pick(['', 'out/\n', 'moved*/\n', '*.md\n'])),
  stage: ({ root }) => git(root, 'add', '-A'),
  'stage one': ({ root, file }) => {
    const path = file()
    if (existsSync(join(root, path))) git(root, 'add', '-f', '--', path)
  },
  unstage: ({ root }) => git(root, 'reset', '-q'),
  commit: ({ root }) => git(root, 'commit', '-qam', 'next', '--allow-empty'),
  stash: ({ root }) => git(root, 'stash', '-q', '-u'),
  'back in time': ({ root }) =>
    git(root, 'checkout', '-q', '-f', '--detach', git(root, 'rev-list', '--max-parents=0', 'HEAD').trim()),
  'skip in the index': ({ root, random, file }) => {
    const path = file()
    const tracked = git(root, 'ls-files', '--', path).trim() !== ''
    if (tracked)
      git(
        root,
        'update-index',
        random.pick(['--assume-unchanged', '--no-assume-unchanged', '--skip-worktree', '--no-skip-worktree']),
        '--',
        path,
      )
  },
}

/** Random histories of edits of a real repository; after some of the edits, and at the end, a scan with the cache must come to what one without comes to. */
export async function histories({
  count,
  seed,
  files,
}: {
  count: number
  seed: number
  files: number
}): Promise<Soaked> {
  return inFolder(async folder => {
    const random = new Random(seed)
    const examples = ruleExamples()
    const first = checkout(join(folder, 'first'), files)
    const paths = realPaths(files)
    const soaked: Soaked = { tried: 0, faults: [], figures: { edits: 0, comparisons: 0 } }
    let hits = 0
    for (let history = 0; history < count; history++) {
      const root = join(folder, `h${history}`)
      git(folder, 'clone', '-q', '--no-hardlinks', first, root)
      const place: Place = {
        root,
        random,
        file: () => random.pick(random.chance(0.3) ? ['new0/a.py', 'new1/a.js', 'moved0/a.py', ...paths] : paths),
        example: () => random.pick(examples),
      }
      const done: string[] = []
      await outcome(root, true)
      for (let i = 0; i < 3 + random.below(12); i++) {
        const name = random.pick(Object.keys(EDITS))
        try {
          EDITS[name]!(place)
          done.push(name)
        } catch {
          done.push(`(${name})`) // what git refuses in this state is no edit
        }
        soaked.figures.edits = Number(soaked.figures.edits) + 1
        if (random.chance(0.3)) hits += await compare(root, done, soaked)
      }
      hits += await compare(root, done, soaked)
      soaked.tried++
      rmSync(root, { recursive: true, force: true })
    }
    soaked.figures['files taken from the cache'] = hits
    if (hits === 0) soaked.faults.push('nothing was taken from the cache: nothing was compared')
    return soaked
  })
}

async function compare(root: string, done: readonly string[], soaked: Soaked): Promise<number> {
  soaked.figures.comparisons = Number(soaked.figures.comparisons) + 1
  const warm = await inTime(root, true, soaked)
  const cold = await inTime(root, false, soaked)
  if (cold.failed) soaked.figures['ended with an error'] = Number(soaked.figures['ended with an error'] ?? 0) + 1
  if (warm.text !== cold.text) {
    const fault = `after ${done.join(', ')}: ${difference(warm.text, cold.text)}`
    soaked.faults.push(fault)
    // It takes long: whoever stops it is to know what it had found, and in which history.
    process.stderr.write(`history ${soaked.tried + 1} ${fault}\n`)
  }
  return warm.hits
}

/** Scans that the clock stops are repeated so often. */
const MOST_REPEATED = 10

/**
 * What a scan comes to that the clock has not stopped anywhere. Where it has, on a machine that stood still, the scan says so
 * and keeps nothing of it: a second one must come to the whole.
 */
async function inTime(root: string, cache: boolean, soaked: Soaked): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const found = await outcome(root, cache)
    if (!found.late || attempt === MOST_REPEATED) return found
    soaked.figures['stopped by the clock'] = Number(soaked.figures['stopped by the clock'] ?? 0) + 1
  }
}

interface Outcome {
  /** Its id and times aside. */
  text: string
  hits: number
  /** A rule or a file ran out of time. */
  late: boolean
  /** The scan ended with an error, which is the text. */
  failed?: true
}

async function outcome(root: string, cache: boolean): Promise<Outcome> {
  const context: Context = {
    surface: 'cli',
    cwd: root,
    env: {},
    signal: new AbortController().signal,
    emit: () => {},
    notice: () => {},
  }
  try {
    const performed = await perform({ repo_path: '.', cache }, context)
    const { run, findings, files, listed } = performed
    // Only a scan that is stored leaves something for the next one to go on from.
    if (cache) await persist(performed, context)
    const { id: _id, started_at: _s, finished_at: _f, duration_ms: _d, cache: counts, ...record } = run
    return {
      text: JSON.stringify({ ...record, findings, files: files.all(), listed: listed() }, null, 1),
      hits: counts.hits,
      late: [...run.skipped, ...run.not_evaluated].some(({ reason }) => reason === 'timed_out'),
    }
  } catch (error) {
    return { text: (error as Error).message, hits: 0, late: false, failed: true }
  }
}

/** Lines of a difference that are shown of each side. */
const MOST_LINES = 12

function difference(one: string, other: string): string {
  const [a, b] = [one.split('\n'), other.split('\n')]
  const only = (lines: string[], others: Set<string>) => {
    const own = lines.filter(line => !others.has(line)).map(line => line.trim())
    return `${own.slice(0, MOST_LINES).join(' ')}${own.length > MOST_LINES ? ` and ${own.length - MOST_LINES} lines more` : ''}`
  }
  return `only with the cache: ${only(a, new Set(b))}; only without: ${only(b, new Set(a))}`
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function ruleFor(word: string, severity: string): string {
  return [
    'id: local-word',
    'type: regex',
    'title: A word',
    'message: Somebody wrote it.',
    `severity: ${severity}`,
    'languages: [any]',
    `regex: '\\b${word}\\b'`,
    'remediation: Do not write it.',
    `match: ['the ${word}']`,
    "clean: ['nothing of the kind']",
    '',
  ].join('\n')
}
