import { homedir } from 'node:os'
import { join } from 'node:path'
import { openStore, readStored } from '../local/disk.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Addresses of registries, ending with a slash; undefined where nothing names one. */
export interface Registries {
  npm(name: string, resolved: string | undefined): string | undefined
  pypi(resolved: string | undefined): string | undefined
}

/**
 * Reads which registries packages come from: `.npmrc` and `pip.conf` of the repository and of the user, the variables of these tools, and the
 * lock file's own addresses. Variables in the repository's files are not expanded: they could send a secret to any server.
 */
export function findRegistries(root: string, env: Env): Registries {
  const home = env.HOME ?? env.USERPROFILE ?? homedir()
  const read = (folder: string, path: string) => {
    const store = openStore(folder, folder)
    return store ? (readStored(store, path) ?? '') : ''
  }
  const npmrc = [read(root, '.npmrc'), read(home, '.npmrc')].map(readSettings)
  const pip = [
    read(root, 'pip.conf'),
    read(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'pip/pip.conf'),
    read(home, '.pip/pip.conf'),
    env.PIP_CONFIG_FILE ? read(join(env.PIP_CONFIG_FILE, '..'), env.PIP_CONFIG_FILE.split(/[\\/]/).at(-1)!) : '',
  ].map(readSettings)
  const first = (files: Map<string, string>[], key: string) =>
    files.map(file => file.get(key)).find(value => value !== undefined)
  const npmDefault = asAddress(env.npm_config_registry ?? env.NPM_CONFIG_REGISTRY ?? first(npmrc, 'registry'))
  const index = env.PIP_INDEX_URL ?? first(pip, 'index-url')
  return {
    npm(name, resolved) {
      const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined
      const scoped = scope === undefined ? undefined : asAddress(first(npmrc, `${scope}:registry`))
      return scoped ?? npmDefault ?? readNpmAddress(name, resolved)
    },
    pypi(resolved) {
      const named = index ?? (resolved !== undefined && /\/simple\/?$/.test(resolved) ? resolved : undefined)
      return asAddress(named?.replace(/\/simple\/?$/, '/'))
    },
  }
}

/** The registry of an archive's address: what stands before `<name>/-/`. */
function readNpmAddress(name: string, resolved: string | undefined): string | undefined {
  if (resolved === undefined || !/^https?:\/\//.test(resolved)) return undefined
  const at = resolved.replace(/%2f/gi, '/').indexOf(`/${name}/-/`)
  return at === -1 ? undefined : asAddress(resolved.slice(0, at + 1))
}

/** `key = value` lines, as npmrc and pip.conf have them, of all sections together. */
function readSettings(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key !== undefined && value) found.set(key, value.replace(/^["']|["']$/g, ''))
  }
  return found
}

function asAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.includes('$')) return undefined
  try {
    const url = new URL(text)
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
    ;[url.username, url.password, url.search, url.hash] = ['', '', '', '']
    return url.href.endsWith('/') ? url.href : `${url.href}/`
  } catch {
    return undefined
  }
}
