import type { Declaration, DependencyScope } from './manifest.ts'

const MAVEN_SCOPES: Readonly<Record<string, DependencyScope>> = { test: 'development', provided: 'build' }

/** Dependencies of a pom.xml; what stands under dependencyManagement sets versions and is none. */
export function readPom(text: string): Declaration[] {
  if (!/<project[\s>]/.test(text)) throw new Error('it has no element <project>')
  const own = blank(blank(text, '<!--', '-->'), '<dependencyManagement>', '</dependencyManagement>')
  return elementsOf(own, '<dependency>', '</dependency>').flatMap(({ body, line }) => {
    const [group, artifact] = [fieldOf(body, 'groupId'), fieldOf(body, 'artifactId')]
    if (!group || !artifact) return []
    const version = fieldOf(body, 'version') ?? ''
    const scope =
      fieldOf(body, 'optional') === 'true' ? 'optional' : (MAVEN_SCOPES[fieldOf(body, 'scope') ?? ''] ?? 'runtime')
    const isElsewhere = version === '' || version.includes('${')
    const pinned = isElsewhere
      ? undefined
      : !/^[[(]|,|^(?:LATEST|RELEASE)$|-SNAPSHOT$/.test(version) || /^\[[^,]+\]$/.test(version)
    return [{ name: `${group}:${artifact}`, version, scope, line, pinned }]
  })
}

/** Packages of a .NET project, or of a file with the versions of all projects. */
export function readCsproj(text: string): Declaration[] {
  if (!/<Project[\s>]/.test(text)) throw new Error('it has no element <Project>')
  const own = blank(text, '<!--', '-->')
  const out: Declaration[] = []
  let [line, at] = [1, 0]
  for (const found of own.matchAll(/<Package(?:Reference|Version)\s([^>]{0,2000})>/g)) {
    for (; at < found.index; at++) if (own.charCodeAt(at) === 10) line++
    const name = attributeOf(found[1]!, 'Include') ?? attributeOf(found[1]!, 'Update')
    if (!name) continue
    const body = found[1]!.endsWith('/') ? '' : own.slice(found.index, found.index + 2000).split('</Package')[0]!
    const version = attributeOf(found[1]!, 'Version') ?? fieldOf(body, 'Version') ?? ''
    const isElsewhere = version === '' || version.includes('$(')
    const pinned = isElsewhere ? undefined : /^\[[^,]+\]$|^\d[\w.+-]*$/.test(version)
    out.push({ name, version, scope: 'runtime', line, pinned })
  }
  return out
}

/** The bodies between two tags, with the line that each begins in. */
function elementsOf(text: string, open: string, close: string): { body: string; line: number }[] {
  const out: { body: string; line: number }[] = []
  let [line, counted] = [1, 0]
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at + 1)) {
    const end = text.indexOf(close, at)
    if (end < 0) break
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++
    out.push({ body: text.slice(at + open.length, end), line })
    at = end
  }
  return out
}

/** The text with what is between two marks made blank, lines kept. */
function blank(text: string, open: string, close: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start)
    const stop = end < 0 ? text.length : end + close.length
    parts.push(text.slice(at, start), text.slice(start, stop).replace(/[^\n]/g, ' '))
    at = stop
  }
  return parts.join('') + text.slice(at)
}

function fieldOf(body: string, name: string): string | undefined {
  const start = body.indexOf(`<${name}>`)
  const end = start < 0 ? -1 : body.indexOf('<', start + 1)
  return end < 0 ? undefined : body.slice(start + name.length + 2, end).trim()
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1]
}
