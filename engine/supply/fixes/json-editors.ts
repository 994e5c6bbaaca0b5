import {
  type EditResult,
  escapePattern,
  type ManifestEdit,
  type ManifestEditor,
  raiseRequirement,
  type Wanted,
} from './edit.ts'

const NPM_SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** package.json, of npm, yarn, pnpm and bun. */
export const npm: ManifestEditor = {
  files: /(^|\/)package\.json$/,
  lockCommand(files, { name }) {
    if (files.has('pnpm-lock.yaml')) return `pnpm update ${name}`
    if (files.has('yarn.lock')) return 'yarn install'
    return files.has('bun.lock') ? 'bun install' : 'npm install'
  },
  edit: (text, wanted) => editSections(text, wanted, NPM_SECTIONS, to => `^${to}`),
  pin(text, { name, to, version, others = [] }, files) {
    // Yarn's resolutions have no selector of versions: a newer one elsewhere in the tree would be set back.
    if (files.has('yarn.lock') && others.length > 0)
      return { refusal: `resolutions would also set ${others.slice(0, 3).join(', ')} to ${to}` }
    const keys = files.has('pnpm-lock.yaml')
      ? ['pnpm', 'overrides']
      : files.has('yarn.lock')
        ? ['resolutions']
        : ['overrides']
    // The one version in use: another one in the same tree, such as an older major, stays as it is.
    const key = files.has('pnpm-lock.yaml') || others.length > 0 ? `${name}@${version}` : name
    return addProperty(text, keys, key, to)
  },
}

/** composer.json. */
export const composer: ManifestEditor = {
  files: /(^|\/)composer\.json$/,
  lockCommand: (_, { name }) => `composer update ${name} --with-dependencies`,
  edit: (text, wanted) => editSections(text, wanted, ['require', 'require-dev'], to => `^${to}`),
}

function editSections(
  text: string,
  wanted: Wanted,
  sections: readonly string[],
  several: (to: string) => string,
): EditResult {
  let refusal: EditResult
  for (const section of sections) {
    const found = findObject(text, [section])
    if (!found) continue
    const inside = text.slice(found.start, found.end)
    const match = new RegExp(`"${escapePattern(wanted.name)}"\\s*:\\s*"((?:[^"\\\\\\n]|\\\\.)*)"`, 'di').exec(inside)
    if (!match) continue
    const [, prefix = '', requirement] = /^(npm:(?:@[^/]+\/)?[^@]+@)?(.*)$/s.exec(match[1]!)!
    const raised = raiseRequirement(requirement!, wanted.to, several)
    if (raised === undefined) {
      refusal = { refusal: `the requirement ${match[1]} names no version` }
      continue
    }
    const [start, end] = match.indices![1]!
    return {
      start: found.start + start,
      end: found.start + end,
      text: prefix + raised,
      from: match[1]!,
      to: prefix + raised,
    }
  }
  return refusal
}

/** Adds a property to an object by its keys, making the objects that are missing; one that is there is replaced. */
function addProperty(text: string, keys: readonly string[], name: string, value: string): ManifestEdit | undefined {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const line = `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  let depth = keys.length
  while (depth > 0 && !findObject(text, keys.slice(0, depth))) depth--
  const into = findObject(text, keys.slice(0, depth))
  if (!into) return undefined
  if (depth === keys.length) {
    const inside = text.slice(into.start, into.end)
    const there = new RegExp(`"${escapePattern(name)}"\\s*:\\s*"([^"\\n]*)"`, 'd').exec(inside)
    if (there) {
      const [start, end] = there.indices![1]!
      return { start: into.start + start, end: into.start + end, text: value, from: there[1]!, to: value }
    }
  }
  const missing = keys.slice(depth)
  const pad = (level: number) => newline + indent.repeat(level)
  const opened = missing.map((key, i) => `${pad(depth + 1 + i)}${JSON.stringify(key)}: {`).join('')
  const closed = missing.map((_, i) => `${pad(keys.length - i)}}`).join('')
  const added = `${opened}${pad(keys.length + 1)}${line}${closed}`
  const body = text.slice(into.start, into.end)
  const at = into.start + body.trimEnd().length
  const isEmpty = body.trim() === ''
  return {
    start: at,
    end: isEmpty ? into.end : at,
    text: `${isEmpty ? '' : ','}${added}${isEmpty ? pad(depth) : ''}`,
    from: '',
    to: `${keys.join('.')}: ${line}`,
  }
}

/** The inside of an object by its keys from the top: between the braces. Strings are skipped; a linear walk. */
function findObject(text: string, keys: readonly string[]): { start: number; end: number } | undefined {
  const stack: { key: string | undefined; start: number }[] = []
  let key: string | undefined
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') {
      const from = at++
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
      const after = /\S/.exec(text.slice(at + 1, at + 200))?.[0]
      if (after === ':') key = text.slice(from + 1, at)
    } else if (sign === '{' || sign === '[') {
      stack.push({ key: sign === '[' ? undefined : key, start: at + 1 })
      key = undefined
    } else if (sign === '}' || sign === ']') {
      const path = stack.slice(1).map(one => one.key)
      const top = stack.pop()
      if (top && sign === '}' && path.length === keys.length && path.every((one, i) => one === keys[i]))
        return { start: top.start, end: at }
    } else if (sign === ',') key = undefined
  }
  return undefined
}
