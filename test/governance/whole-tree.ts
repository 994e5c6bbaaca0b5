import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Everything below a folder but what git and the records keep: kind, mode and bytes. */
export function tree(root: string, at = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(root, at))) {
    const path = at === '' ? name : `${at}/${name}`
    if (path === '.git' || path === '.svc/local') continue
    const stat = lstatSync(join(root, path))
    if (stat.isDirectory()) Object.assign(found, { [`${path}/`]: 'folder' }, tree(root, path))
    else if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(root, path))}`
    else found[path] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(join(root, path)).toString('hex')}`
  }
  return found
}

/** All that a person could miss, as it lies on disk: files, index, branches, what is stashed. */
export function everything(root: string) {
  const at = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path)).toString('hex') : '')
  const refs = ['refs/heads', 'refs/tags', 'refs/remotes'].filter(name => existsSync(join(root, '.git', name)))
  return {
    tree: tree(root),
    index: at('.git/index'),
    head: at('.git/HEAD'),
    heads: refs.map(name => tree(join(root, '.git', name))),
    packed: at('.git/packed-refs'),
    stash: [at('.git/refs/stash'), at('.git/logs/refs/stash')],
  }
}
