import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Diagnostic, Position } from 'vscode-languageserver-protocol/node'
import { DIST } from '../engine/base/disk/assets.ts'
import type { Finding } from '../engine/base/records/finding.ts'
import { loadBuiltinRules, loadExamples } from '../engine/sources/packs/load.ts'
import { LspClient, PULLING } from '../test/surfaces/lsp/client.ts'

/** How long a session is. */
export interface SessionSize {
  files: number
  /** Lines of each file at the start. */
  lines: number
  /** Edits of each file. */
  rounds: number
  /** All files are compared with a scan after so many rounds, and after the last. */
  comparing?: number
  seed: number
}

/** What a session came to. */
export interface SessionResult {
  edits: number
  /** Milliseconds from sending an edit to having its diagnostics, sorted. */
  latencies: number[]
  /** Verdicts that differ from those of a scan, in words; the first ones. */
  differences: string[]
  compared: number
  diagnostics: number
  /** Resident memory of the server after a tenth of the session and at the end, and after each tenth, MB. */
  memory: { settled: number; end: number; tenths: number[] }
}

const LANGUAGES = { py: 'python', js: 'javascript', ts: 'typescript', java: 'java', go: 'go' } as const
const SNIPPETS = ['😀 = "é"', '', '    ', '/*', '*/', '"""', "'", '\r', '\r\n', '# svc-ignore: x -- y', 'é😀']

/** A generator of numbers below a limit, the same for the same seed (mulberry32). */
export function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Code that rules find something in, by extension. */
function readExamples(): Map<string, string[]> {
  const rules = loadBuiltinRules()
  return new Map(
    Object.entries(LANGUAGES).map(([extension, language]) => [
      extension,
      rules
        .filter(rule => rule.languages.includes(language))
        .flatMap(rule => loadExamples(rule).match.map(({ code }) => code))
        .filter(code => code !== undefined && code.length < 2000),
    ]),
  )
}

/** A file of so many lines, plain code with an example here and there. */
function makeText(
  extension: string,
  examples: readonly string[],
  lines: number,
  random: (below: number) => number,
): string {
  const out: string[] = []
  while (out.length < lines) {
    const number = out.length
    if (random(60) === 0) out.push(...examples[random(examples.length)]!.split('\n'))
    else if (extension === 'py') out.push(`value_${number} = compute(${number}, "name ${number}")`)
    else if (extension === 'go') out.push(`// line ${number} says nothing`)
    else out.push(`// let value${number} = compute(${number}) and no more`)
  }
  return out.slice(0, lines).join('\n')
}

/** Position by the protocol's own rules, written apart from the server's. */
function toPosition(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const isSplit = before.endsWith('\r') && text[offset] === '\n'
  const lines = (isSplit ? before.slice(0, -1) : before).split(/\r\n|\n|\r/)
  return { line: lines.length - 1, character: lines.at(-1)!.length }
}

/** Drives a real server through random edits and compares each verdict with that of `svc scan` over the same texts. */
export async function runSession({ files, lines, rounds, comparing = 1, seed }: SessionSize): Promise<SessionResult> {
  const random = makeRandom(seed)
  const examples = readExamples()
  const extensions = Object.keys(LANGUAGES)
  const texts = new Map<string, string>()
  for (let index = 0; index < files; index++) {
    const extension = extensions[index % extensions.length]!
    texts.set(`src/f${index}.${extension}`, makeText(extension, examples.get(extension)!, lines, random))
  }
  const [edited, mirror] = [makeRepository(), makeRepository()]
  // On disk of the editor's repository the files are empty: what is judged can only be what was sent.
  for (const path of texts.keys()) write(edited, path, '')
  const client = await LspClient.start(edited, PULLING)
  const result: SessionResult = {
    ...{ edits: 0, latencies: [], differences: [], compared: 0, diagnostics: 0 },
    memory: { settled: 0, end: 0, tenths: [] },
  }
  try {
    for (const [path, text] of texts) {
      await client.open(path, text)
      await client.diagnostics(path)
    }
    for (let round = 1; round <= rounds; round++) {
      const answers = new Map<string, Diagnostic[]>()
      for (const [path, text] of texts) {
        const pool = examples.get(path.slice(path.lastIndexOf('.') + 1))!
        const { start, end, insert } = makeEdit(text, pool, lines, random)
        const range = { start: toPosition(text, start), end: toPosition(text, end) }
        texts.set(path, text.slice(0, start) + insert + text.slice(end))
        const begun = performance.now()
        await client.change(path, round + 1, [{ range, text: insert }])
        answers.set(path, await client.diagnostics(path))
        result.latencies.push(performance.now() - begun)
        result.edits++
      }
      if (round % comparing === 0 || round === rounds) compare(texts, answers, scanTexts(mirror, texts), result)
      if (round % Math.ceil(rounds / 10) === 0) result.memory.tenths.push(readMemory(client.process.pid!))
      if (round === Math.ceil(rounds / 10)) result.memory.settled = result.memory.tenths[0]!
    }
    result.memory.end = readMemory(client.process.pid!)
    await client.stop()
  } finally {
    client.process.kill('SIGKILL')
    for (const root of [edited, mirror]) rmSync(root, { recursive: true, force: true })
  }
  result.latencies.sort((a, b) => a - b)
  return result
}

/** An edit: a key, a line more or less, an example, or a stretch that is deleted. The text stays about as long. */
function makeEdit(text: string, pool: readonly string[], lines: number, random: (below: number) => number) {
  const at = snap(text, random(text.length + 1))
  const isLong = text.length > lines * 60
  const kind = isLong ? 5 : random(6)
  if (kind <= 1) return { start: at, end: at, insert: String.fromCharCode(32 + random(95)) }
  if (kind === 2) return { start: at, end: at, insert: `\n${pool[random(pool.length)]!}\n` }
  if (kind === 3) return { start: at, end: at, insert: SNIPPETS[random(SNIPPETS.length)]! }
  if (kind === 4) return { start: at, end: snap(text, Math.min(text.length, at + random(20))), insert: 'x' }
  return { start: at, end: snap(text, Math.min(text.length, at + random(isLong ? 2000 : 200))), insert: '' }
}

/** No editor has its cursor within a character or a line ending. */
function snap(text: string, offset: number): number {
  const isLow = /[\udc00-\udfff]/.test(text[offset] ?? '') && /[\ud800-\udbff]/.test(text[offset - 1] ?? '')
  return isLow || (text[offset] === '\n' && text[offset - 1] === '\r') ? offset - 1 : offset
}

function makeRepository(): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-lsp-'))
  execFileSync('git', ['init', '-q'], { cwd: root })
  return root
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** The open findings of `svc scan` over these texts on disk, by path. */
function scanTexts(root: string, texts: ReadonlyMap<string, string>): Map<string, Finding[]> {
  for (const [path, text] of texts) write(root, path, text)
  const program = fileURLToPath(new URL('svc.js', DIST))
  execFileSync(process.execPath, [program, 'scan', '--no-cache', '--quiet'], { cwd: root, stdio: 'ignore' })
  const findings = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8')) as Finding[]
  const byPath = new Map<string, Finding[]>()
  for (const finding of findings) {
    if (finding.status !== 'open') continue
    const known = byPath.get(finding.file)
    if (known) known.push(finding)
    else byPath.set(finding.file, [finding])
  }
  return byPath
}

function compare(
  texts: ReadonlyMap<string, string>,
  answers: ReadonlyMap<string, Diagnostic[]>,
  found: ReadonlyMap<string, Finding[]>,
  result: SessionResult,
): void {
  for (const [path, text] of texts) {
    const place = (line: number, column: number) => {
      let start = 0
      for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1
      return toPosition(text, Math.min(text.length, start + column - 1))
    }
    const expected = (found.get(path) ?? []).map(({ rule_id, title, message, line, column, end_line, end_column }) =>
      JSON.stringify([rule_id, `${title}\n${message}`, place(line, column), place(end_line, end_column)]),
    )
    const answered = answers
      .get(path)!
      .map(({ code, message, range }) => JSON.stringify([code, message, range.start, range.end]))
    result.compared++
    result.diagnostics += answered.length
    if (expected.join('\n') !== answered.join('\n') && result.differences.length < 10) {
      const missing = expected.filter(each => !answered.includes(each))
      const more = answered.filter(each => !expected.includes(each))
      result.differences.push(`${path}: missing ${missing.join(' ')}; more ${more.join(' ')}`)
    }
  }
}

/** Resident memory of a process, MB (proc(5)). */
function readMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
