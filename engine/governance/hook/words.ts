import type { SgNode } from '@ast-grep/napi'
import type { Variables } from './variables.ts'

/** A word of a command: its text, or undefined where it is known only when the shell runs. */
export type Word = string | undefined

/** A word's text as the shell would make it. */
export function toWord(node: SgNode, known: Variables): Word {
  const text = node.text()
  // What find fills in.
  if (text === '{}') return text
  switch (String(node.kind())) {
    case 'word':
    case 'number':
    case 'file_descriptor':
      return bare(text, known)
    case 'raw_string':
      return text.slice(1, -1)
    case 'string':
      return quoted(node, known)
    case 'concatenation': {
      const parts = node.children().map(child => toWord(child, known))
      return parts.includes(undefined) ? undefined : parts.join('')
    }
    case 'simple_expansion':
    case 'expansion': {
      const name = /^\$\{?(\w+)\}?$/.exec(text)?.[1]
      return name === undefined ? undefined : unsplit(known.get(name), node)
    }
    default:
      return undefined
  }
}

/** Text in double quotes. */
function quoted(node: SgNode, known: Variables): Word {
  let value = ''
  let at = node.range().start.index + 1
  const source = node.getRoot().root().text()
  for (const child of node.children().filter(child => child.isNamed())) {
    const { start, end } = child.range()
    value += source.slice(at, start.index)
    const part =
      String(child.kind()) === 'string_content'
        ? child
            .text()
            .replaceAll('\\\n', '')
            .replace(/\\([$`"\\])/g, '$1')
        : toWord(child, known)
    if (part === undefined) return undefined
    value += part
    at = end.index
  }
  return value + source.slice(at, node.range().end.index - 1)
}

/** A variable that is not in quotes: the shell makes several words of white space, and names of files of a wildcard. */
function unsplit(value: Word, node: SgNode): Word {
  if (value === undefined || String(node.parent()?.kind()) === 'string') return value
  return /[\s*?[]/.test(value) || value === '' ? undefined : value
}

/** Text without quotes: `~` and backslashes are resolved; what the shell would fill in from the disk is not known. */
function bare(given: string, known: Variables): Word {
  const text = given.replaceAll('\\\n', '')
  const home = known.get('HOME')
  if (/^~(\/|$)/.test(text)) {
    const rest = bare(text.slice(1), known)
    return home === undefined || rest === undefined ? undefined : `${home}${rest}`
  }
  // `{}` by itself is no list of alternatives.
  if (/(^|[^\\])(\\\\)*[*?[{]/.test(text.replaceAll('{}', '')) || text.startsWith('~')) return undefined
  return text.replace(/\\(.)/g, '$1')
}
