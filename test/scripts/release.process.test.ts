import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { PLATFORMS } from '../../scripts/pack/platforms.mjs'
import { ROOT } from '../root.ts'

const PLATFORM = `${process.platform}-${process.arch}`
const out = join(ROOT, 'packed/release')
const base = mkdtempSync(join(tmpdir(), 'svc-release-'))
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
let printed: string

/** Runs the release script; nothing of a CI job is in its environment. */
function release(...args: string[]) {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: _github, SIGSTORE_ID_TOKEN: _gitlab, ...env } = process.env
  return spawnSync(process.execPath, [join(ROOT, 'scripts/release.mjs'), ...args], { cwd: ROOT, env, encoding: 'utf8' })
}

/** Installs tarballs of the release into an empty prefix, and runs the command that they bring. */
function install(...tarballs: string[]) {
  const home = mkdtempSync(join(base, 'home-'))
  const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, npm_config_prefix: home }
  const paths = tarballs.map(path => join(out, path))
  const options = ['--offline', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', '--global', ...options, ...paths], { cwd: base, env, stdio: 'pipe' })
  return (cwd: string, ...args: string[]) => spawnSync('svc', args, { cwd, env, encoding: 'utf8' })
}

beforeAll(() => {
  const { status, stdout, stderr } = release('--dry-run', PLATFORM)
  expect(`${status} ${stderr}`).toMatch(/^0 /)
  printed = stdout
})

describe('a dry run of a release', () => {
  it('lists the digest of every tarball', () => {
    const lines = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const [digest, path] = line.split('  ') as [string, string]
      expect(
        createHash('sha256')
          .update(readFileSync(join(out, path)))
          .digest('hex'),
      ).toBe(digest)
    }
  })

  it('lets npm check each package that it would publish, the one that people install last', () => {
    const checked = [...printed.matchAll(/^\+ (\S+)$/gm)].map(([, name]) => name)
    expect(checked).toEqual([`svc-scan-${PLATFORM}@${version}`, `svc-scan@${version}`])
  })

  it('says what the release would need', () => {
    expect(printed).toContain('Dry run: nothing was published.')
    expect(printed).toContain('a CI job with an identity')
  })
})

describe('a release', () => {
  it('is refused outside a CI job with an identity, before anything is made', () => {
    const { status, stdout, stderr } = release()
    expect([status, stdout]).toEqual([78, ''])
    expect(stderr).toContain('`permissions: id-token: write`')
  })

  it('is refused for some platforms only', () => {
    expect(release(PLATFORM).status).toBe(64)
  })
})

describe('the package that npm installs', () => {
  it('runs the program of the platform', () => {
    const svc = install(`npm/svc-scan-${version}.tgz`, `npm/svc-scan-${PLATFORM}-${version}.tgz`)
    const project = join(base, 'project')
    mkdirSync(project)
    execFileSync('git', ['init', '-q'], { cwd: project })
    writeFileSync(join(project, 'app.py'), 'import requests\nrequests.get("https://x.example", verify=False)\n')
    expect(svc(project, 'scan').stdout).toContain('[python-requests-verify-off]')
    expect(svc(project, 'gate').status).toBe(1)
  })

  it('asks npm for the packages of all platforms', () => {
    const manifest = execFileSync('tar', ['-xzOf', join(out, `npm/svc-scan-${version}.tgz`), 'package/package.json'])
    const names = Object.keys(JSON.parse(manifest.toString()).optionalDependencies)
    expect(names).toEqual(Object.keys(PLATFORMS).map(name => `svc-scan-${name}`))
  })

  it('names the package to install where that of the platform is missing', () => {
    const { status, stderr } = install(`npm/svc-scan-${version}.tgz`)(base, 'scan')
    expect(status).toBe(69)
    expect(stderr).toContain(`npm install --global svc-scan-${PLATFORM}@${version}`)
  })
})
