import { type CommandWords, listPrefixes, quoteWord, type Value } from './words.ts'

/** The script for bash 3.2 and later. */
export function writeBashScript(commands: readonly CommandWords[]): string {
  const prefixes = listPrefixes(commands)
  const firstWords = [...new Set(commands.map(c => c.name.split(' ')[0]!))]
  const twoWords = commands.filter(c => c.name.includes(' ')).map(c => quoteWord(c.name))
  return `# bash completion for svc
_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local first= second= command= options= words= paths= i
  COMPREPLY=()
  # --option=value arrives as three words, because = breaks words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -* ]] && continue
    if [[ -z $first ]]; then first=\${COMP_WORDS[i]}; elif [[ -z $second ]]; then second=\${COMP_WORDS[i]}; fi
  done
  case "$first $second" in
${twoWords.length > 0 ? `    ${twoWords.join('|')}) command="$first $second" ;;\n` : ''}    *) command=$first ;;
  esac
  case $command in
    '') words=${quoteWord(firstWords.join(' '))} options='--help --version' ;;
${[...prefixes].map(([first, seconds]) => `    ${first}) words=${quoteWord(seconds.map(s => s.word).join(' '))} ;;`).join('\n')}
  esac
  case $command in
${commands.map(c => `    ${quoteWord(c.name)}) options=${quoteWord(optionWords(c))}${positionalWords(c)} ;;`).join('\n')}
  esac
  case "$command:$previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $current == -* ]]; then
    words=$options paths=
  fi
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $paths ]]; then
    IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _svc svc
`
}

function optionWords(command: CommandWords): string {
  return command.options.flatMap(o => [o.long, ...(o.short ? [o.short] : [])]).join(' ')
}

function positionalWords({ positionals }: CommandWords): string {
  const words = positionals.flatMap(({ value }) => (typeof value === 'string' ? [] : value))
  return `${words.length > 0 ? ` words=${quoteWord(words.join(' '))}` : ''}${positionals.some(p => p.value === 'path') ? ' paths=1' : ''}`
}

/** What follows each option that takes a value; the command's own words and options do not. */
function valueCases({ name, options }: CommandWords): string[] {
  return options.flatMap(({ long, short, value }) => {
    if (value === undefined) return []
    const pattern = [long, ...(short ? [short] : [])].map(form => quoteWord(`${name}:${form}`)).join('|')
    return [`    ${pattern}) options= ${assignments(value)} ;;`]
  })
}

function assignments(value: Value): string {
  if (value === 'path') return 'words= paths=1'
  return value === 'text' ? 'words= paths=' : `words=${quoteWord(value.join(' '))} paths=`
}
