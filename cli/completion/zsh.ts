import { type CommandWords, listPrefixes, quoteWord, type Value } from './words.ts'

/** The script for zsh: a function for a folder of fpath, which also works when it is sourced. */
export function writeZshScript(commands: readonly CommandWords[]): string {
  const prefixes = listPrefixes(commands)
  const firstWords = [
    ...commands.filter(c => !c.name.includes(' ')).map(c => ({ word: c.name, summary: c.summary })),
    ...[...prefixes.keys()]
      .filter(p => !commands.some(c => c.name === p))
      .map(word => ({ word, summary: `${word} commands` })),
  ]
  return `#compdef svc
_svc() {
  local command
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${described(firstWords)})
    _describe -t commands 'svc command' choices
    return
  fi
  command=$words[2]
  case $command in
${[...prefixes]
  .map(
    ([first, seconds]) => `    ${first})
      if (( CURRENT == 3 )); then
        choices=(${described(seconds)})
        _describe -t commands 'svc ${first} command' choices
        return
      fi
      case $words[3] in
        ${seconds.map(s => s.word).join('|')}) command="$words[2] $words[3]"; shift words; (( CURRENT-- )) ;;
      esac ;;`,
  )
  .join('\n')}
  esac
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(c => `    ${quoteWord(c.name)}) _arguments -s ${argumentsOf(c)} ;;`).join('\n')}
  esac
}
if [[ $funcstack[1] == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`
}

function described(words: readonly { word: string; summary: string }[]): string {
  return words.map(({ word, summary }) => quoteWord(`${word.replaceAll(':', '\\:')}:${summary}`)).join(' ')
}

function argumentsOf({ options, positionals }: CommandWords): string {
  const specs = options.flatMap(({ long, short, description, multiple, value }) => {
    const forms = short ? [short, long] : [long]
    const exclusive = multiple ? '*' : short ? `(${forms.join(' ')})` : ''
    const action = value === undefined ? '' : `:${long.slice(2)}:${actionOf(value)}`
    return forms.map(form => quoteWord(`${exclusive}${form}${equals(form, value)}[${plain(description)}]${action}`))
  })
  // For text that nobody can guess there is no word to say; a message would keep zsh from inserting a lone option.
  const parameters = positionals
    .filter(p => p.value !== 'text')
    .map(({ name, value }) => quoteWord(`*:${name}:${actionOf(value)}`))
  return [...specs, ...parameters.slice(0, 1)].join(' ')
}

/** A long option's value may follow in the next word or after an equals sign; a letter's, at once. */
function equals(form: string, value: Value | undefined): string {
  if (value === undefined) return ''
  return form.startsWith('--') ? '=' : '+'
}

function actionOf(value: Value): string {
  if (value === 'path') return '_files'
  return value === 'text' ? ' ' : `(${value.join(' ')})`
}

/** Brackets, colons and backslashes mean something to _arguments. */
function plain(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&')
}
