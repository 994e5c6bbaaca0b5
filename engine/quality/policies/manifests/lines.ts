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

/** Requirements of a pip file, editable ones too; other options, local paths and other files that it names are none. */
export function readRequirements(text: string): Declaration[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const written = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .replace(/^(?:-e|--editable)(?:[ \t=]+|(?=[^\s-]))/, '')
    if (written === '' || written.startsWith('-') || /^\.{0,2}\/|^\.{1,2}$|^file:/.test(written)) return []
    return /^[a-z][a-z0-9+.-]*:\/\/|^git\+/i.test(written)
      ? readAddress(written, index + 1)
      : (parseRequirement(written, index + 1) ?? [])
  })
}

/**
 * A requirement by its address: `git+https://…@commit#egg=name`, or an archive. The name is that of `egg`, of a wheel's or sdist's file name, or of
 * the last part of the path.
 */
function readAddress(written: string, line: number): Declaration {
  const address = written.split(/\s/, 1)[0]!
  const [place = '', fragment = ''] = address.split('#', 2)
  const egg = /(?:^|&)egg=([\w.-]+)/.exec(fragment)?.[1]
  const isRepository = /^(?:git|hg|svn|bzr)\+/i.test(place)
  const path = place.replace(/^[^:]*:\/\/[^/]*\//, '')
  const at = isRepository ? path.lastIndexOf('@') : -1
  const revision = at === -1 ? '' : path.slice(at + 1)
  const last = (at === -1 ? path : path.slice(0, at)).replace(/\/+$/, '').split('/').at(-1)!
  const archive = /^([A-Za-z0-9](?:[\w.]|-(?!\d))*)-\d[^/]*\.(?:whl|zip|tar\.\w+|tgz)$/.exec(last)?.[1]
  return {
    name: egg ?? archive ?? (last.replace(/\.git$/, '') || address),
    version: `@ ${address}`,
    scope: 'runtime',
    line,
    // A tag and a branch move; what an archive's address serves is told by its hash alone.
    pinned: isRepository ? /^[0-9a-f]{40}$/.test(revision) : /(?:^|&)sha(?:256|384|512)=[0-9a-f]+/.test(fragment),
  }
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
