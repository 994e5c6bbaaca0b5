import type { Declaration, Parsed } from '../parsed.ts'
import { directoryOf, findAbove, joinPath } from '../paths.ts'
import { findAll, readChild, readXml, type XmlElement } from '../syntax/xml.ts'

interface Model {
  directory: string
  /** Versions by lower-case name, of Directory.Packages.props. */
  central?: Map<string, string>
  properties: Map<string, string>
  isProps: boolean
}

/**
 * Reads MSBuild projects (`PackageReference`), packages.config and Directory.Packages.props (`PackageVersion`), by what is in them.
 * NuGet takes the lowest version that a range allows, so a plain version is the one that is used.
 */
export function parse(text: string, file: string): Parsed {
  const root = readXml(text)
  const directory = directoryOf(file)
  if (root.name === 'packages') return { projects: [{ directory, declares: listPackages(root) }] }
  const properties = new Map<string, string>()
  for (const group of findAll(root, 'PropertyGroup'))
    for (const child of group.children) properties.set(child.name, child.text)
  const isProps = /\.props$/i.test(file)
  const model: Model = { directory, properties, isProps }
  const declares: Declaration[] = []
  for (const kind of ['PackageReference', 'GlobalPackageReference'])
    for (const element of findAll(root, kind)) {
      const name = element.attributes.Include ?? element.attributes.Update
      if (!name) continue
      const version = element.attributes.VersionOverride || element.attributes.Version || readChild(element, 'Version')
      const isPrivate = /^all$/i.test(element.attributes.PrivateAssets ?? readChild(element, 'PrivateAssets') ?? '')
      declares.push({
        ...readRange(name, version, properties),
        scope: isPrivate ? 'development' : 'production',
        line: element.line,
      })
    }
  for (const element of findAll(root, 'ProjectReference')) {
    const path = element.attributes.Include?.replaceAll('\\', '/')
    if (path)
      declares.push({
        name: path,
        directory: directoryOf(joinPath(directory, path)),
        scope: 'production',
        line: element.line,
      })
  }
  if (isProps) {
    model.central = new Map()
    for (const element of findAll(root, 'PackageVersion')) {
      const { Include: name, Version: version } = element.attributes
      if (!name || !version) continue
      // A version is no reference: it counts where a project refers to the package.
      model.central.set(name.toLowerCase(), version)
    }
    return { model, ...(declares.length > 0 && { projects: [{ directory, declares }] }) }
  }
  const name = /([^/]+)\.\w+$/.exec(file)?.[1]
  return {
    model,
    projects: [
      {
        directory,
        name,
        version: properties.get('Version'),
        license: properties.get('PackageLicenseExpression'),
        declares,
      },
    ],
  }
}

function listPackages(root: XmlElement): Declaration[] {
  return root.children.flatMap(({ name, attributes, line }) => {
    if (name !== 'package' || !attributes.id) return []
    const scope = attributes.developmentDependency === 'true' ? 'development' : 'production'
    return [{ name: attributes.id, ...(attributes.version && { version: attributes.version }), scope, line }]
  })
}

/** Gives references without a version the central one of the nearest Directory.Packages.props above. */
export function combine(files: Map<string, Parsed>): void {
  const central = new Map<string, Model>()
  for (const [file, { model }] of files)
    if (/(^|\/)Directory\.Packages\.props$/i.test(file)) central.set((model as Model).directory, model as Model)
  for (const { model, projects = [] } of files.values()) {
    const own = model as Model | undefined
    if (own === undefined || own.isProps) continue
    const nearest = findAbove(own.directory, directory => central.get(directory))
    for (const declared of projects[0]?.declares ?? []) {
      if (declared.version !== undefined || declared.requirement !== undefined || declared.directory !== undefined)
        continue
      const range = nearest?.central?.get(declared.name.toLowerCase())
      if (range !== undefined) Object.assign(declared, readRange(declared.name, range, nearest!.properties))
    }
  }
}

function readRange(
  name: string,
  text: string | undefined,
  properties: ReadonlyMap<string, string>,
): Omit<Declaration, 'scope'> {
  const range = text?.replace(/\$\((\w+)\)/g, (all, property: string) => properties.get(property) ?? all).trim()
  if (!range) return { name }
  const version = /^\[?\s*(\d[\w.+-]*)\s*\]?$/.exec(range)?.[1]
  return version === undefined ? { name, requirement: range } : { name, requirement: range, version }
}
