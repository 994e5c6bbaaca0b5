import type { CodeFile } from './code-file.ts'

/** Lines that open a function, method or type, in the languages that reviews read; each captures the name. */
const DECLARATIONS: readonly RegExp[] = [
  /^\s*(?:export\s+)?(?:default\s+)?(?:public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|final\s+|sealed\s+|data\s+|open\s+)*(?:class|interface|object|struct|trait|module|enum)\s+([\w$.]{1,100})/,
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:pub(?:\([\w ]{1,20}\))?\s+)?(?:public\s+|private\s+|protected\s+|static\s+|override\s+|suspend\s+)*(?:function\s*\*?|def|fun|fn|func)\s+(?:\([^)]{0,80}\)\s*)?(?:self\.)?([\w$?!]{1,100})/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]{1,100})\s*(?::[^=]{1,100})?=\s*(?:async\s*)?(?:function\b|\([^)]{0,200}\)\s*(?::[^=]{1,80})?=>|[\w$]{1,60}\s*=>)/,
  /^\s*(?:public|private|protected|internal|static|final|async|override|virtual|synchronized|\s){1,12}[\w<>[\],.?]{1,80}\s+([\w$]{1,100})\s*\(/,
  /^\s{1,40}(?:async\s+)?(?!if\b|for\b|while\b|switch\b|catch\b|return\b|else\b|function\b)([\w$]{1,100})\s*\([^)]{0,200}\)\s*\{\s*$/,
]

/** Only so much of a line is matched. */
const LINE = 300
/** So far above a line its declaration is searched: longer functions are named by the file alone. */
const FARTHEST = 400

/**
 * The function or type that a line lies in: the nearest line above with a smaller indentation that declares something; empty at
 * the top of a file. By layout alone, so that it holds for every language and for code that does not parse.
 */
export function findEnclosingSymbol({ code }: Pick<CodeFile, 'code'>, line: number): string {
  return findSymbolIn(code.split('\n'), line)
}

/** As `findEnclosingSymbol`, for lines that were split already. */
export function findSymbolIn(lines: readonly string[], line: number): string {
  const own = lines[line - 1]?.slice(0, LINE) ?? ''
  const declared = firstName(own)
  if (declared !== undefined) return declared
  let indent = own.trim() === '' ? Number.MAX_SAFE_INTEGER : indentOf(own)
  for (let at = line - 2; at >= Math.max(0, line - 2 - FARTHEST); at--) {
    const text = lines[at]!.slice(0, LINE)
    if (text.trim() === '' || indentOf(text) >= indent) continue
    const name = firstName(text)
    if (name !== undefined) return name
    indent = indentOf(text)
    if (indent === 0) return ''
  }
  return ''
}

function firstName(line: string): string | undefined {
  for (const pattern of DECLARATIONS) {
    const name = pattern.exec(line)?.[1]
    if (name !== undefined) return name
  }
  return undefined
}

function indentOf(line: string): number {
  const at = line.search(/\S/)
  return at === -1 ? Number.MAX_SAFE_INTEGER : at
}
