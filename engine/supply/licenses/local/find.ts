import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Component, Inventory } from '../../inventory/component.ts'
import { normalizeName } from '../../inventory/ecosystems.ts'
import { directoryOf } from '../../inventory/paths.ts'
import {
  type FindInStore,
  findByDirectory,
  findByVersion,
  findComposerPackage,
  findCrate,
  findGem,
  findGoModule,
  findGradleArtifact,
  findHexPackage,
  findMavenArtifact,
  findNuGetPackage,
} from './caches.ts'
import { type LocalPackage, openStore, type PackageStore } from './disk.ts'
import { indexNodeModules } from './node-modules.ts'
import { indexSitePackages } from './site-packages.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Finds what is installed of a component on this machine; undefined where nothing is. */
export type FindLocal = (component: Component) => LocalPackage | undefined

/** Directories of the repository that are looked into for installed packages. */
const MOST_DIRECTORIES = 2000

/**
 * Prepares to look for installed packages: in the repository's directories with manifests (`node_modules`, virtual environments, `vendor`,
 * `deps`, `Pods`), and in the caches of the package managers, by their own variables. Each is indexed when the first of its kind is asked for.
 */
export function openLocalPackages({ components, projects }: Inventory, root: string, env: Env): FindLocal {
  const directories = [
    ...new Set([
      '',
      ...projects.map(({ file }) => directoryOf(file)),
      ...components.flatMap(({ locations }) => locations.map(({ file }) => directoryOf(file))),
    ]),
  ].slice(0, MOST_DIRECTORIES)
  const within = (path: string) =>
    directories.flatMap(directory => {
      const label = directory === '' ? path : `${directory}/${path}`
      return openStore(join(root, label), label, root) ?? []
    })
  const named = (ecosystem: string) =>
    new Set(components.flatMap(one => (one.ecosystem === ecosystem ? normalizeName(ecosystem, one.name) : [])))
  const indexes = new Map<string, Map<string, LocalPackage>[]>()
  const indexed = (ecosystem: string, make: () => Map<string, LocalPackage>[]) => {
    const known = indexes.get(ecosystem) ?? make()
    indexes.set(ecosystem, known)
    return known
  }
  const stores = new Map<string, [PackageStore, FindInStore][]>()
  const finders = makeFinders(within, env)
  return ({ ecosystem, name, version }) => {
    if (version === undefined) return undefined
    if (ecosystem === 'npm' || ecosystem === 'PyPI') {
      const all = indexed(ecosystem, () =>
        ecosystem === 'npm'
          ? within('node_modules').map(store => indexNodeModules(store, named('npm')))
          : listSitePackages(within, env).map(store => indexSitePackages(store, named('PyPI'))),
      )
      const key = `${normalizeName(ecosystem, name)}@${version}`
      return all.find(one => one.has(key))?.get(key)
    }
    const open = stores.get(ecosystem) ?? finders[ecosystem]?.() ?? []
    stores.set(ecosystem, open)
    for (const [store, find] of open) {
      const found = find(store, name, version)
      if (found) return found
    }
    return undefined
  }
}

function makeFinders(
  within: (path: string) => PackageStore[],
  env: Env,
): Record<string, () => [PackageStore, FindInStore][]> {
  const home = env.HOME ?? env.USERPROFILE ?? homedir()
  const cache = (path: string | undefined, fallback: string): PackageStore[] => {
    const place = path !== undefined && path !== '' ? path : join(home, fallback)
    return [openStore(place, place.startsWith(home) ? `~${place.slice(home.length)}` : place)].flatMap(one => one ?? [])
  }
  const each = (found: PackageStore[], find: FindInStore): [PackageStore, FindInStore][] =>
    found.map(store => [store, find])
  const below = (found: PackageStore[], path: string): PackageStore[] =>
    found.flatMap(({ root, label }) =>
      listNames(join(root, path)).flatMap(name => openStore(join(root, path, name), `${label}/${path}/${name}`) ?? []),
    )
  const maven = () => [
    ...each(cache(undefined, '.m2/repository'), findMavenArtifact),
    ...each(
      cache(
        env.GRADLE_USER_HOME && join(env.GRADLE_USER_HOME, 'caches/modules-2/files-2.1'),
        '.gradle/caches/modules-2/files-2.1',
      ),
      findGradleArtifact,
    ),
  ]
  return {
    Go: () => [
      ...each(within('vendor'), findByDirectory),
      ...each(
        cache(env.GOMODCACHE ?? (env.GOPATH && join(env.GOPATH.split(/[:;]/)[0]!, 'pkg/mod')), 'go/pkg/mod'),
        findGoModule,
      ),
    ],
    'crates.io': () => [
      ...each(within('vendor'), findCrate),
      ...each(below(cache(env.CARGO_HOME, '.cargo'), 'registry/src'), findCrate),
    ],
    RubyGems: () => [
      ...each(
        within('vendor/bundle').flatMap(one => below([one], 'ruby')),
        findGem,
      ),
      ...each(env.GEM_HOME ? cache(env.GEM_HOME, '') : [], findGem),
    ],
    Packagist: () => each(within('vendor'), findComposerPackage),
    Maven: maven,
    NuGet: () => each(cache(env.NUGET_PACKAGES, '.nuget/packages'), findNuGetPackage),
    Pub: () => each(below(cache(env.PUB_CACHE, '.pub-cache'), 'hosted'), findByVersion),
    Hex: () => each(within('deps'), findHexPackage),
    CocoaPods: () => each(within('Pods'), findByDirectory),
    SwiftURL: () =>
      each(within('.build/checkouts'), (store, name, version) =>
        findByDirectory(store, name.split('/').at(-1)!, version),
      ),
  }
}

/** Directories of virtual environments: those beside manifests by their usual names, and the active one. */
function listSitePackages(within: (path: string) => PackageStore[], env: Env): PackageStore[] {
  const environments = ['.venv', 'venv', 'env', '.env'].flatMap(within)
  const active = env.VIRTUAL_ENV ? [openStore(env.VIRTUAL_ENV, '$VIRTUAL_ENV')].flatMap(one => one ?? []) : []
  return [...environments, ...active].flatMap(({ root, label }) => {
    const unix = listNames(join(root, 'lib')).filter(name => name.startsWith('python'))
    const paths = [...unix.map(name => `lib/${name}/site-packages`), 'Lib/site-packages']
    return paths.flatMap(path =>
      existsSync(join(root, path)) ? (openStore(join(root, path), `${label}/${path}`, root) ?? []) : [],
    )
  })
}

function listNames(path: string): string[] {
  try {
    return readdirSync(path).sort()
  } catch {
    return []
  }
}
