import { type CommandWords, listPrefixes, type Value } from './words.ts'

/** The script for fish 3 and later. */
export function writeFishScript(commands: readonly CommandWords[]): string {
  const firstWords = commands.filter(c => !c.name.includes(' '))
  const seconds = [...listPrefixes(commands)].flatMap(([first, words]) => [
    `complete -c svc -n '__svc_words 0' -a ${first} -d ${quote(`${first} commands`)}`,
    ...words.map(w => `complete -c svc -n '__svc_words 1; and __svc_at ${first}' -a ${w.word} -d ${quote(w.summary)}`),
  ])
  return `# fish completion for svc
function __svc_plain
    set -l words (commandline -opc)
    string match -v -- '-*' $words[2..-1]
end
function __svc_words
    test (count (__svc_plain)) -eq $argv[1]
end
function __svc_at
    set -l words (__svc_plain)
    set -l count (count $argv)
    test "$words[1..$count]" = "$argv"
end
complete -c svc -f
complete -c svc -n '__svc_words 0' -l help -s h -d 'print help'
complete -c svc -n '__svc_words 0' -l version -d 'print the version'
${firstWords.map(c => `complete -c svc -n '__svc_words 0' -a ${c.name} -d ${quote(c.summary)}`).join('\n')}
${[...seconds, ...commands.flatMap(linesOf)].join('\n')}
`
}

function linesOf({ name, options, positionals }: CommandWords): string[] {
  const at = `complete -c svc -n '__svc_at ${name}'`
  return [
    ...options.map(({ long, short, description, value }) => {
      const forms = `${short ? `-s ${short.slice(1)} ` : ''}-l ${long.slice(2)}`
      return `${at} ${forms}${value === undefined ? '' : ` ${valueFlags(value)}`} -d ${quote(description)}`
    }),
    ...positionals
      .filter(p => p.value !== 'text')
      .map(({ value }) => `${at} ${value === 'path' ? '-F' : `-a ${quote([...value].join(' '))}`}`),
  ]
}

function valueFlags(value: Value): string {
  if (value === 'path') return '-r -F'
  return value === 'text' ? '-x' : `-x -a ${quote(value.join(' '))}`
}

/** In fish's single quotes only the quote and the backslash are escaped, by a backslash. */
function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}
