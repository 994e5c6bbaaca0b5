import type { FilePolicyRule } from '../../base/records/rule.ts'
import type { RawMatch } from '../rules/match.ts'

/** How each language writes an import; the first group is the module. */
const IMPORTS: Record<string, RegExp> = {
  javascript:
    /(?:\bimport\s*(?:[^'"()]*?\bfrom\s*)?\(?\s*|\brequire\s*\(\s*|\bexport\s[^'"]*?\bfrom\s*)['"]([^'"\n]+)['"]/gu,
  python:
    /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+(?:[ \t]*(?:as[ \t]+\w+)?[ \t]*,[ \t]*[\w.]+)*))/gmu,
  go: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\n]+)"/gmu,
  java: /^\s*import\s+(?:static\s+)?([\w.]+)/gmu,
  c: /^\s*#\s*include\s*[<"]([^>"\n]+)[>"]/gmu,
  csharp: /^\s*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;/gmu,
  php: /^\s*use\s+(?:function\s+|const\s+)?\\?([\w\\]+)/gmu,
  ruby: /^\s*(?:require|require_relative|load)\s*\(?\s*['"]([^'"\n]+)['"]/gmu,
  rust: /^\s*(?:pub\s+)?(?:use|extern\s+crate)\s+([\w:]+)/gmu,
}

const SAME_AS: Record<string, string> = {
  typescript: 'javascript',
  tsx: 'javascript',
  cpp: 'c',
  kotlin: 'java',
  scala: 'java',
}

/** Languages that `must_not_import` can be asked of. */
export const IMPORT_LANGUAGES: readonly string[] = [...Object.keys(IMPORTS), ...Object.keys(SAME_AS)].sort()

/** What a policy over a single file finds in it. Policies over the list of files are `judgePaths`. */
export function runFilePolicy(
  index: number,
  { check }: FilePolicyRule,
  file: { language: string; lines: number; text: string },
): RawMatch[] {
  const whole: RawMatch = { rule: index, start: 0, end: 0, wholeFile: true }
  if ('max_lines' in check) {
    return file.lines > check.max_lines
      ? [{ ...whole, note: `${file.lines} lines, allowed are ${check.max_lines}` }]
      : []
  }
  if ('must_contain' in check) return file.text.includes(check.must_contain) ? [] : [whole]
  if (!('must_not_import' in check)) return []
  const expression = IMPORTS[SAME_AS[file.language] ?? file.language]
  if (!expression) return []
  const out: RawMatch[] = []
  for (const found of file.text.matchAll(expression)) {
    for (const module of (found[1] ?? found[2] ?? '').split(',').map(name => name.trim().split(/\s/)[0]!)) {
      const banned = check.must_not_import.find(name => isOrIsUnder(module, name))
      if (banned)
        out.push({ rule: index, start: found.index, end: found.index + found[0].length, note: `imports ${module}` })
    }
  }
  return out
}

function isOrIsUnder(module: string, banned: string): boolean {
  return module === banned || ['/', '.', ':', '\\'].some(separator => module.startsWith(banned + separator))
}
