import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from './verdicts.ts'

/**
 * Downloads a package through npm into a directory, compares its digest with the manifest and unpacks it.
 * Returns the directory of its files. Throws where npm fails or the digest differs.
 */
export function fetchTree({ name, package: named, version, integrity: expected }: Tree, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const printed = execFileSync('npm', ['pack', `${named}@${version}`, '--json', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename, integrity }] = JSON.parse(printed) as [{ filename: string; integrity: string }]
  if (integrity !== expected) throw new Error(`${name}: the digest is ${integrity}, but trees.yaml has ${expected}.`)
  // Names of packages in a scope have a slash that the file's name has not.
  const archive = join(folder, filename.replace('@', '').replace('/', '-'))
  // The top directory is called `package` in most packages, but not in all.
  const files = join(folder, 'files')
  mkdirSync(files)
  execFileSync('tar', ['-xzf', archive, '-C', files, '--strip-components=1'])
  return files
}
