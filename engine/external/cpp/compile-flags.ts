import { basename, resolve } from 'node:path'

/** How a source file is compiled, as far as an analysis needs it and a repository may say it. */
export interface CompileFlags {
  /** In the order of the command, paths absolute. Only flags of the tables below: nothing here loads or runs anything. */
  flags: string[]
  /** Flags that were left out, by name. */
  dropped: string[]
}

/** Flags with a path, which is their next word or stands right behind them. The longest spelling first. */
const PATHS = ['-isystem', '-iquote', '-idirafter', '-isysroot', '-include', '-imacros', '-iframework', '-I', '-F']
/** Flags with a value that is no path, written in either way. */
const VALUES = ['-D', '-U', '-x']
/** Flags that change what the source means. `-fplugin`, `-fpass-plugin`, `-Xclang`, `-mllvm`, `--config`, `-B`, response files and wrappers are left out on purpose: with them a repository could have the analyzer load a program. */
const PLAIN =
  /^(?:-std=[\w+:]+|-stdlib=[\w+]+|--?target=[\w.-]+|-m(?:32|64|arch=[\w.+-]+|cpu=[\w.+-]+|fpu=[\w.+-]+|float-abi=\w+|sse[\w.]*|avx[\w.]*|thumb|ms-bitfields)|-f(?:no-)?(?:exceptions|rtti|signed-char|unsigned-char|short-enums|short-wchar|ms-extensions|ms-compatibility|openmp|coroutines|blocks|char8_t|permissive|strict-aliasing|delayed-template-parsing|gnu89-inline|freestanding|hosted|builtin)|-ffreestanding|-fhosted|-pthread|-nostdinc(?:\+\+)?|-ansi|-trigraphs)$/
/** Flags that say nothing to an analysis: what is written, how it is optimized, what is warned of. The dangerous ones are none of them. */
const SILENT =
  /^(?:-c|-S|-E|-[OgW].*|-w|-pipe|-pedantic(?:-errors)?|-M[MDGP]*|-f(?!plugin|pass-plugin)[\w=,.+-]*|-m[\w=,.+-]*|-v|-s|-shared|-static|-rdynamic|-l.*|-L.*|--coverage|-p|-pg|--serialize-diagnostics|\/(?:nologo|c|W\d|O\w|Z\w|G\w|M\w+|EH\w+|FS|utf-8|TP|TC|permissive-|F[odS].*|wd\d+|sdl|bigobj))$/
/** Flags whose next word belongs to them and is left out with them. */
const WITH_WORD = new Set(['-o', '-MF', '-MT', '-MQ', '-MJ', '-arch', '-Xlinker', '-z', '-L', '-l', '-T', '-u'])
const WITH_DROPPED_WORD = new Set([
  '-Xclang',
  '-mllvm',
  '-Xpreprocessor',
  '-Xassembler',
  '-B',
  '--config',
  '-Xarch_host',
])

/**
 * What of a compiler's command an analyzer is given. The command comes from a file of the repository, so this is a list of what is
 * permitted: clang loads a shared library for `-fplugin`, and reads more flags from response files.
 */
export function keepSafeFlags(command: readonly string[], directory: string, source: string): CompileFlags {
  const flags: string[] = []
  const dropped = new Set<string>()
  const isMicrosoft = /^(?:clang-)?cl(?:\.exe)?$/i.test(basename((command[0] ?? '').replaceAll('\\', '/')))
  for (let at = 1; at < command.length; at++) {
    const word = isMicrosoft ? fromMicrosoft(command[at]!) : command[at]!
    if (word === '--' || word === source) continue
    const path = PATHS.find(name => word.startsWith(name))
    const value = VALUES.find(name => word.startsWith(name))
    if (path !== undefined && !word.startsWith('-include-pch')) {
      const named = word === path ? command[++at] : word.slice(path.length).replace(/^=/, '')
      if (named) flags.push(path, resolve(directory, named))
    } else if (value !== undefined) {
      const text = word === value ? command[++at] : word.slice(value.length)
      if (text) flags.push(value, text)
    } else if (PLAIN.test(word)) flags.push(word)
    else if (WITH_WORD.has(word)) at++
    else if (WITH_DROPPED_WORD.has(word)) {
      dropped.add(word)
      at++
    } else if (!SILENT.test(word) && word.startsWith('-')) dropped.add(word.replace(/=.*$/s, ''))
    else if (word.startsWith('@')) dropped.add('@file')
  }
  return { flags, dropped: [...dropped].sort() }
}

/** A flag of Microsoft's compiler as the others write it. */
function fromMicrosoft(word: string): string {
  const found = /^[/-](I|D|U|std:)(.*)$/s.exec(word)
  if (!found) return word
  return found[1] === 'std:' ? `-std=${found[2]!.replace('latest', '23')}` : `-${found[1]}${found[2]}`
}

/** The words of a command line, quoted and escaped as a POSIX shell reads them; variables and substitutions stay text. */
export function splitCommand(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (quote === "'") {
      if (letter === "'") quote = ''
      else word += letter
    } else if (letter === '\\' && (quote === '' || /["\\$`]/.test(line[at + 1] ?? ''))) {
      word = (word ?? '') + (line[++at] ?? '')
    } else if (quote === '"') {
      if (letter === '"') quote = ''
      else word += letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + letter
  }
  if (word !== undefined) words.push(word)
  return words
}
