/**
 * A type as the analysis compares it: dotted, without references, lifetimes and what says only how it is held. A slice or an
 * array is a `Vec`. `owner` is what `Self` stands for.
 */
export function readType(written: string, owner?: string): string {
  const type = written
    .replace(/\s+/g, ' ')
    .replace(/&|\*(?=const\b|mut\b)/g, ' ')
    .replace(/'\w+\s*,?|\b(?:mut|dyn|impl|const)\s+/g, ' ')
    .replace(/\s*::\s*/g, '.')
    .replace(/\.</g, '<')
    .replace(/<\s*>/g, '')
    .replace(/\s*([<>,()[\];])\s*/g, '$1')
    .trim()
  const own = owner === undefined ? type : type.replace(/\bSelf\b/g, owner)
  return own.replace(/\[([^[\];]+)(?:;[^\]]*)?\]/g, 'Vec<$1>').replace(/^\./, '')
}

/** The types between the angle brackets. */
export function listTypeArguments(type: string): string[] {
  const inner = /^[\w.]+<(.*)>$/s.exec(type)?.[1]
  return inner === undefined ? [] : splitTypes(inner)
}

/** The types of a tuple. */
export function listTupleTypes(type: string): string[] {
  const inner = /^\((.*)\)$/s.exec(type)?.[1]
  return inner === undefined ? [] : splitTypes(inner)
}

function splitTypes(list: string): string[] {
  const out: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= list.length; at++) {
    const char = list[at]
    if (char === '<' || char === '(') depth++
    else if (char === '>' || char === ')') depth--
    else if (char === undefined || (char === ',' && depth === 0)) {
      const type = list.slice(from, at).trim()
      if (type !== '') out.push(type)
      from = at + 1
    }
  }
  return out
}
