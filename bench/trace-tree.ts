// A repository made for requirements: 20,000 files that import each other, and 2,000 requirements; the same bytes each time.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILES = 20_000
const REQUIREMENTS = 2000
/** Files in one directory. */
const WIDTH = 100

const BODY = `
/** The state of one step. */
export interface State { readonly label: string; next?: State }
export function walk(start: State | undefined, visit: (each: State) => void): number {
  let count = 0
  for (let at = start; at; at = at.next) { visit(at); count++ }
  return count
}
export class Box { constructor(private readonly value: State) {} get(): State { return this.value } }
`

const pad = (number: number) => String(number).padStart(5, '0')
const place = (file: number) => `m${Math.floor(file / WIDTH)}/f${pad(file)}`

/** Writes the repository below `folder` and commits it; every tenth source file names a requirement, and so does every tenth test. */
export function makeTraceTree(folder: string): string {
  const root = join(folder, 'requirements')
  const sources = FILES / 2
  for (let directory = 0; directory < sources / WIDTH; directory++)
    for (const top of ['src', 'test']) mkdirSync(join(root, top, `m${directory}`), { recursive: true })
  for (let file = 0; file < sources; file++) {
    // A source file imports its neighbor and the first file of the directory before.
    const before = Math.max(0, Math.floor(file / WIDTH) - 1) * WIDTH
    const imports = [
      file % WIDTH === 0 ? [] : [`./f${pad(file - 1)}`],
      file < WIDTH ? [] : [`../${place(before)}`],
    ].flat()
    const lines = imports.map((specifier, index) => `import { walk as w${index} } from '${specifier}'`)
    const tag = file % 10 === 0 ? `/** @req REQ-${(file / 10) % REQUIREMENTS} */\n` : ''
    const own = `${tag}export function run${file}(): number {\n  return ${lines.map((_, index) => `w${index}(undefined, () => {})`).join(' + ') || '0'}\n}\n`
    writeFileSync(join(root, `src/${place(file)}.ts`), `${lines.join('\n')}\n${BODY}${own}`)
    const verifies = file % 10 === 0 ? `// @verifies REQ-${(file / 10) % REQUIREMENTS}\n` : ''
    const test = `import { run${file} } from '../../src/${place(file)}'\n${verifies}it('runs', () => { expect(run${file}()).toBe(0) })\n`
    writeFileSync(join(root, `test/${place(file)}.test.ts`), test)
  }
  const requirements = Array.from({ length: REQUIREMENTS }, (_, number) => {
    const words = 'The system does what is asked of it, within the time and the memory that it has. '.repeat(3)
    return [
      `  - id: REQ-${number}`,
      `    title: Requirement number ${number}`,
      `    description: ${words.trim()}`,
      `    acceptance: [a first thing holds, a second thing holds]`,
      `    files: [src/m${number % (sources / WIDTH)}/f*0.ts]`,
      `    controls: ["soc2:CC${(number % 9) + 1}.1"]`,
      ...(number % 10 === 0 ? [] : [`    parent: [REQ-${number - (number % 10)}]`]),
    ].join('\n')
  })
  writeFileSync(join(root, 'requirements.yaml'), `requirements:\n${requirements.join('\n')}\n`)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'import')
  return root
}
