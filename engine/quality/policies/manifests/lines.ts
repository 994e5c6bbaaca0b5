import type { Declaration } from './manifest.ts'

/** A requirement of PEP 508: name, extras, and what is said of the version. */
const REQUIREMENT = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(@\s*\S+|[^;#]*)/

/** The declaration of a requirement by PEP 508; undefined where the text is none. */
export function parseRequirement(
  text: string,
  line: number,
  scope: Declaration['scope'] = 'runtime',
): Declaration | undefined {
  const found = REQUIREMENT.exec(text.trim())
  if (!found) return undefined
  const version = found[2]!
    .trim()
    .replace(/\s*\\$/, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/\s+--hash.*$/, '')
  const pinned = /^={2,3}\s*[^*,\s]+$/.test(version) || /^@.*(?:[0-9a-f]{40}|file:)/.test(version)
  return { name: found[1]!, version, scope, line, pinned }
}

/** Requirements of a pip file; options and other files that it names are none. */
export function readRequirements(text: string): Declaration[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const written = line.replace(/(?:^|\s)#.*$/, '').trim()
    return written === '' || written.startsWith('-') ? [] : (parseRequirement(written, index + 1) ?? [])
  })
}

/** The modules that a go.mod requires; go.mod names one version of each. */
export function readGoMod(text: string): Declaration[] {
  const out: Declaration[] = []
  let isInBlock = false
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const written = line.replace(/\/\/.*$/, '').trim()
    if (/^require\s*\($/.test(written)) isInBlock = true
    else if (written === ')') isInBlock = false
    const [, name, version] = (isInBlock ? /^(\S+)\s+(v\S+)$/ : /^require\s+(\S+)\s+(v\S+)$/).exec(written) ?? []
    if (name && version) out.push({ name, version, scope: 'runtime', line: index + 1, pinned: true })
  }
  return out
}

/** Gems of a Gemfile; those of a development or test group are for development. */
export function readGemfile(text: string): Declaration[] {
  const groups: string[] = []
  return text.split(/\r?\n/).flatMap((line, index): Declaration[] => {
    const written = line.replace(/(?:^|\s)#.*$/, '').trim()
    if (/\bdo(?:\s*\|[^|]*\|)?$/.test(written)) groups.push(written)
    else if (written === 'end') groups.pop()
    const [, name, rest = ''] = /^gem\s*\(?\s*['"]([^'"]+)['"](.*)$/.exec(written) ?? []
    if (name === undefined) return []
    const version = [...rest.matchAll(/,\s*['"]([^'"]+)['"]/g)].map(([, each]) => each!).join(', ')
    const isLocal = /\bpath:|:path\s*=>/.test(rest) || /\bref:\s*['"][0-9a-f]{40}/.test(rest)
    const isForDevelopment = [...groups, rest].some(each => /:(?:development|test)\b/.test(each))
    const pinned = isLocal || /^(?:=\s*)?\d[\w.]*$/.test(version)
    return [{ name, version, scope: isForDevelopment ? 'development' : 'runtime', line: index + 1, pinned }]
  })
}
