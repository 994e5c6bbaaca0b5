// Makes a git repository with many commits by `git fast-import`. Usage: npx tsx bench/git-history.ts DIRECTORY [COMMITS]
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const AUTHORS = 200
const DIRECTORIES = 40
const FILES = 4000
const EXTENSIONS = ['ts', 'py', 'go', 'java', 'rs', 'c', 'md', 'yaml']

/** A history of `commits`, the last one now, over 150 days: three files a commit, with renames of whole files among them. The same each time but for the dates. */
export async function makeHistory(directory: string, commits: number): Promise<void> {
  mkdirSync(directory, { recursive: true })
  execFileSync('git', ['init', '-q', '-b', 'main', directory])
  const child = spawn('git', ['fast-import', '--quiet'], { cwd: directory, stdio: ['pipe', 'inherit', 'inherit'] })
  const now = Math.floor(Date.now() / 1000)
  const step = (150 * 86_400) / commits
  let seed = 1
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  for (let at = 0; at < commits; at++) {
    const author = next(AUTHORS)
    const time = Math.floor(now - (commits - at) * step)
    const lines = [
      'commit refs/heads/main',
      `committer Author ${author} <author${author}@example.org> ${time} +0000`,
      'data 6',
      'change',
    ]
    for (let file = 0; file < 3; file++) {
      const number = next(FILES)
      const path = `d${number % DIRECTORIES}/s${number % 7}/f${number}.${EXTENSIONS[number % EXTENSIONS.length]}`
      const content = Array.from({ length: 20 }, (_, line) => `line ${line} ${line === at % 20 ? at : number}`).join(
        '\n',
      )
      lines.push(`M 100644 inline ${path}`, `data ${content.length}`, content)
    }
    if (!child.stdin.write(`${lines.join('\n')}\n`)) await once(child.stdin, 'drain')
  }
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await makeHistory(process.argv[2]!, Number(process.argv[3] ?? 50_000))
