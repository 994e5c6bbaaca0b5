// Makes a long history of what people published: each version of a real package of the npm registry is one commit, in the order of its
// versions, the packages in turn. npm itself fetches them, from the registry that it is set up for. Kept beside the trees; the secrets
// bench takes it where it was made. Usage: npx tsx bench/registry-history.ts [commits]
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { historyFolder } from './trees.ts'

/** Packages that have been published often and are small, of which many set up logins, tokens and keys. */
const PACKAGES = (
  'express koa fastify pg mysql2 ioredis redis mongodb nodemailer passport jsonwebtoken axios superagent socket.io ws winston pino ' +
  'commander yargs mocha sequelize knex stripe node-fetch body-parser helmet dotenv config async uuid debug semver glob amqplib ' +
  'mongoose got request bluebird hexo ejs pug serve-static send cookie-session express-session jose oauth2-server restify bunyan'
).split(' ')
const COMMITS = 10_000
/** Versions that one call of npm fetches. */
const BATCH = 20

interface Version {
  name: string
  version: string
}

const commits = Number(process.argv[2] ?? COMMITS)
if (!Number.isInteger(commits) || commits < 1) throw new Error('Give the number of commits to make, as a whole number.')
const target = historyFolder()
if (existsSync(join(target, '.git')))
  throw new Error(`There is a history already: ${target}. Remove it to make another.`)
const fresh = `${target}-${process.pid}`
mkdirSync(fresh, { recursive: true })
const made = await make(fresh, chosen(commits)).catch(error => {
  rmSync(fresh, { recursive: true, force: true })
  throw error
})
renameSync(fresh, target)
console.log(`${made} commits in ${target}`)

/** So many versions, evenly from all that there are, the packages in turn and each one's versions in order. */
function chosen(count: number): Version[] {
  const all = PACKAGES.flatMap(name =>
    releasesOf(name).map((version, index, own) => ({ name, version, at: index / own.length })),
  ).sort((a, b) => a.at - b.at)
  if (all.length < count) console.log(`The packages have ${all.length} versions.`)
  const share = Math.min(1, count / all.length)
  return all.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share))
}

/** Every version of a package but those before a release, oldest first. */
function releasesOf(name: string): string[] {
  const json = execFileSync('npm', ['view', name, 'versions', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const versions = [JSON.parse(json)].flat() as string[]
  return versions.filter(version => !version.includes('-'))
}

async function make(folder: string, versions: readonly Version[]): Promise<number> {
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const child = spawn('git', ['fast-import', '--quiet'], { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] })
  const done = new Promise<void>((settle, fail) => {
    child.on('close', code => (code === 0 ? settle() : fail(new Error(`git fast-import ended with ${code}`))))
  })
  const write = async (bytes: Buffer) => {
    if (!child.stdin.write(bytes)) await new Promise<void>(settle => child.stdin.once('drain', () => settle()))
  }
  let count = 0
  for (let from = 0; from < versions.length; from += BATCH) {
    const packed = fetched(versions.slice(from, from + BATCH))
    try {
      for (const { name, version, content } of packed) {
        const message = `${name} ${version}`
        await write(
          Buffer.from(
            `commit refs/heads/main\ncommitter b <b@localhost> ${1_500_000_000 + count++} +0000\ndata ${message.length}\n${message}\nD ${name}\n`,
          ),
        )
        for (const file of filesOf(content)) {
          const bytes = readFileSync(join(content, file))
          await write(
            Buffer.concat([
              Buffer.from(`M 100644 inline ${quoted(`${name}/${file}`)}\ndata ${bytes.length}\n`),
              bytes,
              Buffer.from('\n'),
            ]),
          )
        }
      }
    } finally {
      for (const { folder: used } of packed.slice(0, 1)) rmSync(used, { recursive: true, force: true })
    }
    console.log(`${count} of ${versions.length}`)
  }
  child.stdin.end()
  await done
  execFileSync('git', ['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: folder })
  execFileSync('git', ['reset', '-q', '--hard'], { cwd: folder })
  return count
}

/** The versions' files, unpacked into one folder; versions that npm does not give are left out. */
function fetched(versions: readonly Version[]): (Version & { folder: string; content: string })[] {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-packages-'))
  const pack = (wanted: readonly Version[]) => {
    const specs = wanted.map(({ name, version }) => `${name}@${version}`)
    try {
      execFileSync('npm', ['pack', '--silent', '--ignore-scripts', ...specs], { cwd: folder, stdio: 'ignore' })
    } catch {
      // One version that was taken back fails the call: then each is asked for by itself.
      if (wanted.length > 1) for (const one of wanted) pack([one])
    }
  }
  pack(versions)
  return versions.flatMap(({ name, version }) => {
    const archive = join(folder, `${name}-${version}.tgz`)
    if (!existsSync(archive)) return []
    const content = join(folder, `${name}-${version}`)
    mkdirSync(content)
    execFileSync('tar', ['xzf', archive, '--strip-components=1', '--no-same-permissions', '-C', content], {
      stdio: 'ignore',
    })
    return [{ name, version, folder, content }]
  })
}

function filesOf(content: string): string[] {
  return readdirSync(content, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(content, join(entry.parentPath, entry.name)))
    .filter(path => statSync(join(content, path)).size < 5_000_000 && !path.split('/').includes('.git'))
    .sort()
}

/** A path as fast-import reads it. */
function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path)
}
