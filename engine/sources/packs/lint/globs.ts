import { compileGlob } from '../../../base/text/glob.ts'

/** Paths that have nothing in common: a glob that takes all of them takes everything. */
const UNLIKE = ['a', '.env', 'README.md', 'src/main/App.java', 'docs/guide/index.html', 'vendor/x/y/z.min.js']

/** Whether a glob takes every path. */
export function isBroadGlob(glob: string): boolean {
  const matches = compileGlob(glob)
  return UNLIKE.every(path => matches(path))
}
