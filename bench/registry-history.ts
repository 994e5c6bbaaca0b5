// Makes a long history of what people published: each version of a real package of the npm registry is one commit, in the order of its
// versions, the packages in turn, from the registry that npm is set up for. Kept beside the trees; the secrets bench takes it where it was
// made. Usage: npx tsx bench/registry-history.ts [commits]
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { historyFolder } from './trees.ts'

/** Packages that have been published often and are small, of which many set up logins, tokens and keys. */
const PACKAGES = (
  'express koa fastify pg mysql2 ioredis redis mongodb nodemailer passport jsonwebtoken axios superagent socket.io ws winston pino ' +
  'commander yargs mocha sequelize knex stripe node-fetch body-parser helmet dotenv config async uuid debug semver glob amqplib ' +
  'mongoose got request bluebird hexo ejs pug serve-static send cookie-session express-session jose oauth2-server restify bunyan ' +
  'ajv joi qs undici mqtt kafkajs bull bullmq cors morgan multer formidable handlebars marked nats ssh2 basic-ftp openid-client grant ioredis-mock objection'
).split(' ')
const COMMITS = 10_000
/** Versions that are fetched at once. */
const BATCH = 20
/** Files that are larger are left out, as few keep such in a repository. */
const LARGEST = 5_000_000

interface Version {
  name: string
  version: string
  /** Where its archive is. */
  address: string
}

interface File {
  path: string
  bytes: Buffer
}

const commits = Number(process.argv[2] ?? COMMITS)
if (!Number.isInteger(commits) || commits < 1) throw new Error('Give the number of commits to make, as a whole number.')
const target = historyFolder()
if (existsSync(join(target, '.git')))
  throw new Error(`There is a history already: ${target}. Remove it to make another.`)
const fresh = `${target}-${process.pid}`
mkdirSync(fresh, { recursive: true })
const made = await make(fresh, await chosen(commits)).catch(error => {
  rmSync(fresh, { recursive: true, force: true })
  throw error
})
renameSync(fresh, target)
console.log(`${made} commits in ${target}`)

/** So many versions, evenly from all that there are, the packages in turn and each one's versions in order. */
async function chosen(count: number): Promise<Version[]> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
  const all: (Version & { at: number })[] = []
  for (const name of PACKAGES) {
    const own = await releasesOf(registry, name)
    all.push(...own.map((release, index) => ({ ...release, at: index / own.length })))
  }
  all.sort((a, b) => a.at - b.at)
  if (all.length < count) console.log(`The packages have ${all.length} versions.`)
  const share = Math.min(1, count / all.length)
  return all.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share))
}

/** Every version of a package but those before a release, oldest first. */
async function releasesOf(registry: string, name: string): Promise<Version[]> {
  const answer = await fetch(new URL(name, registry.endsWith('/') ? registry : `${registry}/`))
  if (!answer.ok) throw new Error(`The registry answers ${answer.status} for ${name}.`)
  const { versions } = (await answer.json()) as { versions: Record<string, { dist: { tarball: string } }> }
  return Object.entries(versions)
    .filter(([version]) => !version.includes('-'))
    .map(([version, { dist }]) => ({ name, version, address: dist.tarball }))
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
    const batch = versions.slice(from, from + BATCH)
    const packed = await Promise.all(batch.map(async version => ({ ...version, files: await filesOf(version) })))
    for (const { name, version, files } of packed) {
      if (files === undefined) continue
      const message = `${name} ${version}`
      await write(
        Buffer.from(
          `commit refs/heads/main\ncommitter b <b@localhost> ${1_500_000_000 + count++} +0000\ndata ${message.length}\n${message}\nD ${name}\n`,
        ),
      )
      for (const { path, bytes } of files)
        await write(
          Buffer.concat([
            Buffer.from(`M 100644 inline ${quoted(`${name}/${path}`)}\ndata ${bytes.length}\n`),
            bytes,
            Buffer.from('\n'),
          ]),
        )
    }
    console.log(`${count} of ${versions.length}`)
  }
  child.stdin.end()
  await done
  execFileSync('git', ['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: folder })
  execFileSync('git', ['reset', '-q', '--hard'], { cwd: folder })
  return count
}

/** A version's files, by their paths; undefined for a version that was taken back. */
async function filesOf({ name, version, address }: Version): Promise<File[] | undefined> {
  const answer = await fetch(address)
  if (answer.status === 404) return undefined
  if (!answer.ok || answer.body === null)
    throw new Error(`The registry answers ${answer.status} for ${name} ${version}.`)
  const files = new Map<string, Buffer>()
  const archive = extract()
  Readable.fromWeb(answer.body)
    .on('error', error => archive.destroy(error))
    .pipe(createGunzip())
    .on('error', error => archive.destroy(error))
    .pipe(archive)
  for await (const entry of archive) {
    const path = entry.header.name.split('/').slice(1).join('/')
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    const kept = entry.header.type === 'file' && (entry.header.size ?? 0) < LARGEST && isKept(path)
    if (kept) files.set(path, Buffer.concat(parts))
  }
  return [...files].map(([path, bytes]) => ({ path, bytes })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether git takes a file of this path. */
function isKept(path: string): boolean {
  const parts = path.split('/')
  return (
    path !== '' && !parts.some(part => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git')
  )
}

/** A path as fast-import reads it. */
function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path)
}
