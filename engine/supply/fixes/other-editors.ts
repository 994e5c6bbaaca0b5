import {
  type EditResult,
  escapePattern,
  type ManifestEditor,
  raiseRequirement,
  replaceGroup,
  type Wanted,
} from './edit.ts'
import { maskCommentLines, maskXml } from './mask.ts'

/** pom.xml: a dependency with a version of its own, or with a property of the same file. */
export const maven: ManifestEditor = {
  files: /(^|\/)pom\.xml$/,
  lockCommand: () => 'mvn verify',
  edit(written, wanted) {
    const [group, artifact] = wanted.name.split(':')
    if (artifact === undefined) return undefined
    const text = maskXml(written)
    for (const block of text.matchAll(/<dependency>[\s\S]*?<\/dependency>/g)) {
      if (!hasElement(block[0], 'groupId', group!) || !hasElement(block[0], 'artifactId', artifact)) continue
      const version = /<version>\s*([^<\s]+)\s*<\/version>/d.exec(block[0])
      if (!version) continue
      const property = /^\$\{([^}]+)\}$/.exec(version[1]!)?.[1]
      if (property === undefined) return shift(replaceGroup(version, 1, wanted.to), block.index)
      return editProperty(text, property, wanted.to)
    }
    return undefined
  },
  pin(text, { name, to }) {
    const [group, artifact] = name.split(':')
    const entry = `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${to}</version></dependency>`
    const masked = maskXml(text)
    const managed = /<dependencyManagement>\s*<dependencies>/.exec(masked)
    const end = masked.lastIndexOf('</project>')
    if (!managed && end < 0) return undefined
    const at = managed ? managed.index + managed[0].length : end
    const written = managed
      ? `\n      ${entry}`
      : `  <dependencyManagement>\n    <dependencies>\n      ${entry}\n    </dependencies>\n  </dependencyManagement>\n`
    return { start: at, end: at, text: written, from: '', to: `dependencyManagement: ${name}:${to}` }
  },
}

/** A property of the file: those of `<properties>`, of the project or of a profile. */
function editProperty(text: string, property: string, to: string): EditResult {
  const name = escapePattern(property)
  for (const block of text.matchAll(/<properties>[\s\S]*?<\/properties>/g)) {
    const value = new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`, 'd').exec(block[0])
    if (value) return shift(replaceGroup(value, 1, to), block.index)
  }
  return { refusal: `the property ${property} is not defined in this file` }
}

/** Gradle's version catalog: libs.versions.toml. */
export const gradleCatalog: ManifestEditor = {
  files: /(^|\/)[^/]*\.versions\.toml$/,
  lockCommand: () => './gradlew dependencies --write-locks',
  edit(written, wanted) {
    const text = maskCommentLines(written, '#')
    const [group, artifact] = wanted.name.split(':').map(escapePattern)
    const short = new RegExp(`["']${group}:${artifact}:([^"':\\n]+)["']`, 'd').exec(text)
    if (short) return replaceGroup(short, 1, wanted.to)
    const line = new RegExp(
      `^[^\\n=]+=[ \\t]*\\{(?=[^\\n]*(?:module[ \\t]*=[ \\t]*["']${group}:${artifact}["']|(?=[^\\n]*group[ \\t]*=[ \\t]*["']${group}["'])[^\\n]*name[ \\t]*=[ \\t]*["']${artifact}["']))[^\\n]*$`,
      'm',
    ).exec(text)
    if (!line) return undefined
    const own = /\bversion[ \t]*=[ \t]*["']([^"'\n]+)["']/d.exec(line[0])
    if (own) return shift(replaceGroup(own, 1, wanted.to), line.index)
    const ref = /\bversion\.ref[ \t]*=[ \t]*["']([^"'\n]+)["']/.exec(line[0])?.[1]
    if (ref === undefined) return { refusal: 'the entry of the catalog has no version' }
    const value = new RegExp(`^[ \\t]*${escapePattern(ref)}[ \\t]*=[ \\t]*["']([^"'\\n]+)["']`, 'dm').exec(text)
    return value ? replaceGroup(value, 1, wanted.to) : { refusal: `the catalog has no version ${ref}` }
  },
}

/** build.gradle and build.gradle.kts: `group:artifact:version` in a string. */
export const gradle: ManifestEditor = {
  files: /(^|\/)[^/]+\.gradle(\.kts)?$/,
  lockCommand: () => './gradlew dependencies --write-locks',
  edit(written, wanted) {
    const text = maskCommentLines(written, '//', '*', '/*')
    const match = new RegExp(
      `["']${wanted.name.split(':').map(escapePattern).join(':')}:([^"':@\\n$]+)(?:@[^"'\\n]*)?["']`,
      'd',
    ).exec(text)
    return match ? replaceGroup(match, 1, wanted.to) : undefined
  },
}

/** Project files, Directory.Packages.props and packages.config. */
export const nuget: ManifestEditor = {
  files: /(^|\/)([^/]+\.(cs|fs|vb)proj|Directory\.(Packages|Build)\.props|packages\.config)$/i,
  lockCommand: () => 'dotnet restore --force-evaluate',
  edit(written, wanted) {
    const text = maskXml(written)
    const name = escapePattern(wanted.name)
    const tag = new RegExp(
      `<(?:PackageReference|PackageVersion|GlobalPackageReference|package)\\s[^>]*?\\b(?:Include|Update|id)\\s*=\\s*["']${name}["'][^>]*>`,
      'i',
    ).exec(text)
    if (!tag) return undefined
    const attribute = /\bversion(?:Override)?\s*=\s*["']([^"'\n]+)["']/di.exec(tag[0])
    if (attribute) return raiseNuget(shift(replaceGroup(attribute, 1, wanted.to), tag.index))
    const rest = text.slice(tag.index + tag[0].length)
    const element = /^\s*<Version>\s*([^<\s]+)\s*<\/Version>/di.exec(rest)
    return element ? raiseNuget(shift(replaceGroup(element, 1, wanted.to), tag.index + tag[0].length)) : undefined
  },
}

/** A property stays what it is. */
function raiseNuget(edit: EditResult): EditResult {
  return edit && 'from' in edit && edit.from.includes('$(')
    ? { refusal: `the version is the property ${edit.from}` }
    : edit
}

/** Workflows of GitHub Actions. */
export const actions: ManifestEditor = {
  files: /(^|\/)(\.github\/workflows\/[^/]+|action)\.ya?ml$/,
  lockCommand: () => 'none: workflows have no lock file',
  edit(written, wanted: Wanted) {
    const text = maskCommentLines(written, '#')
    const match = new RegExp(
      `\\buses:[ \\t]*["']?${escapePattern(wanted.name)}(?:/[^@\\s"']*)?@([^\\s"'#]+)`,
      'di',
    ).exec(text)
    if (!match) return undefined
    const to = raiseRequirement(
      match[1]!,
      match[1]!.startsWith('v') ? `v${wanted.to.replace(/^v/, '')}` : wanted.to,
      version => version,
    )
    return to === undefined ? { refusal: `${match[1]} is no version` } : replaceGroup(match, 1, to.replace(/^vv/, 'v'))
  },
}

function hasElement(block: string, name: string, value: string): boolean {
  return new RegExp(`<${name}>\\s*${escapePattern(value)}\\s*</${name}>`).test(block)
}

/** An edit of a part of the text as one of the whole. */
function shift(edit: EditResult, by: number): EditResult {
  return edit && 'start' in edit ? { ...edit, start: edit.start + by, end: edit.end + by } : edit
}
