// npm run release -- [--dry-run] [platform …]: makes everything that a release publishes, in packed/release/, and publishes it on npm with
// provenance.
//
// - svc-scan-<version>-<platform>.tgz: the program with all that it needs on a platform, to download and install by hand
// - npm/svc-scan-<platform>-<version>.tgz: the same as npm's package of the platform, and npm/svc-scan-<version>.tgz, which brings the command
//   and asks npm for the package of the machine's platform
// - SHA256SUMS: the digests of all of them, as `sha256sum --check` reads them
//
// Provenance is signed by the CI's identity (npm's trusted publishing), so it publishes only there, from a clean checkout of the version's tag.
// --dry-run makes the files, lets npm check what it would publish, and says what else a release would need.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './bundling.mjs'
import { PLATFORMS, parsePlatforms, requireBuild } from './pack/platforms.mjs'
import { describePackage, listPackageFiles, listPages, own, writeTarball } from './pack/tarball.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})
const dryRun = values['dry-run']
const platforms = parsePlatforms(positionals.length > 0 ? positionals : ['all'])
if (!dryRun && platforms.length < Object.keys(PLATFORMS).length) {
  console.error('A release publishes the packages of all platforms: name some only with --dry-run')
  process.exit(64)
}
requireBuild()
const missing = listMissing()
if (missing.length > 0 && !dryRun) {
  console.error(['A release needs:', ...missing.map(line => `- ${line}`), 'Try it with --dry-run.'].join('\n'))
  process.exit(78)
}

const out = join(root, 'packed/release')
rmSync(out, { recursive: true, force: true })
mkdirSync(join(out, 'npm'), { recursive: true })
const sums = []
const packages = []
for (const name of platforms) {
  await write(`${own.name}-${own.version}-${name}.tgz`, listPackageFiles(name, { bin: own.bin }))
  const platformPackage = `npm/${own.name}-${name}-${own.version}.tgz`
  await write(platformPackage, listPackageFiles(name, { name: `${own.name}-${name}` }))
  packages.push(platformPackage)
}
// Last: whoever installs it while a release is under way finds the packages that it asks for.
const mainPackage = `npm/${own.name}-${own.version}.tgz`
await write(mainPackage, listMainPackage())
packages.push(mainPackage)
writeFileSync(join(out, 'SHA256SUMS.part'), `${sums.join('\n')}\n`)
renameSync(join(out, 'SHA256SUMS.part'), join(out, 'SHA256SUMS'))
for (const path of packages) publish(join(out, path))
if (dryRun && missing.length > 0)
  console.log(['Dry run: nothing was published. A release would need:', ...missing.map(line => `- ${line}`)].join('\n'))

/** Writes one tarball, and remembers its digest. */
async function write(path, files) {
  const { size, sha256 } = await writeTarball(join(out, path), files)
  sums.push(`${sha256}  ${path}`)
  console.log(`${join('packed/release', path)}  ${(size / 1e6).toFixed(1)} MB`)
}

/** The package that people install by its name: the command, and npm's list of the platforms' packages. */
function listMainPackage() {
  const manifest = {
    ...describePackage(),
    bin: { svc: 'svc.js' },
    type: 'module',
    optionalDependencies: Object.fromEntries(Object.keys(PLATFORMS).map(name => [`${own.name}-${name}`, own.version])),
  }
  return [
    { to: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { to: 'svc.js', content: readFileSync(join(root, 'scripts/pack/launcher.mjs')), mode: 0o755 },
    ...listPages().map(({ to, from }) => ({ to, content: readFileSync(from) })),
  ]
}

/** Publishes one package, or lets npm say what it would publish. One that is there already, with the same content, stays. */
function publish(path) {
  if (!dryRun && isPublished(path)) return console.log(`${basename(path)} is published already`)
  const { status } = spawnSync(
    'npm',
    ['publish', path, '--access', 'public', ...(dryRun ? ['--dry-run', '--loglevel', 'error'] : ['--provenance'])],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  if (status !== 0) {
    console.error(
      `npm did not publish ${basename(path)}. Run the release again: what is published already is left as it is.`,
    )
    process.exit(1)
  }
}

function isPublished(path) {
  const [{ name, version, integrity }] = JSON.parse(
    execFileSync('npm', ['pack', path, '--dry-run', '--json'], { encoding: 'utf8' }),
  )
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' })
  const published = stdout.trim()
  if (status !== 0 || published === '') return false
  if (published === integrity) return true
  console.error(`${name}@${version} is published with other content (${published}): raise the version`)
  process.exit(78)
}

/** What a release would need and this checkout does not have. */
function listMissing() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const { env } = process
  const lines = []
  if (git('status', '--porcelain') !== '') lines.push('a clean checkout: commit or stash the changes')
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${own.version}`))
    lines.push(`the tag v${own.version} on the commit`)
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${own.version}]`))
    lines.push(`a section [${own.version}] in CHANGELOG.md`)
  if (own.repository === undefined) lines.push('`repository` in package.json: npm compares it with the provenance')
  if (env.ACTIONS_ID_TOKEN_REQUEST_URL === undefined && env.SIGSTORE_ID_TOKEN === undefined)
    lines.push(
      'a CI job with an identity: GitHub Actions with `permissions: id-token: write`, or GitLab CI with an `id_tokens` entry SIGSTORE_ID_TOKEN',
    )
  return lines
}
