/** What may stand as a value: one of some words, a path, or text that nobody can guess. */
export type Value = readonly string[] | 'path' | 'text'

/** A command as the scripts need it. */
export interface CommandWords {
  /** One word or two. */
  name: string
  summary: string
  options: { long: string; short?: string; description: string; multiple: boolean; value?: Value }[]
  positionals: { name: string; value: Value }[]
}

/** The first words of the commands that have two, each with the second words. */
export function listPrefixes(commands: readonly CommandWords[]): Map<string, { word: string; summary: string }[]> {
  const prefixes = new Map<string, { word: string; summary: string }[]>()
  for (const { name, summary } of commands) {
    const [first, word] = name.split(' ')
    if (word !== undefined) prefixes.set(first!, [...(prefixes.get(first!) ?? []), { word, summary }])
  }
  return prefixes
}

/** A word in single quotes, as every shell of ours reads it. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
