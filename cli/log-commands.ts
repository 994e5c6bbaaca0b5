/** Variables of the CI systems that take commands from the output of a build: GitHub Actions and Azure Pipelines. */
const READERS = ['GITHUB_ACTIONS', 'TF_BUILD'] as const

/**
 * A function that takes the commands out of text for the log of a build: `::name` at the start of a line, and `##vso[` and `##[` anywhere, which
 * a file name could bring, get a U+200B (no width) inside. Outside of those CI systems the text stays as it is.
 */
export function makeLogFilter(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  if (!READERS.some(name => env[name] && env[name] !== 'false')) return text => text
  return text =>
    text
      // White space as the runner trims it; a line's own only, so that many empty lines are read once.
      .replace(/^((?:[^\S\r\n\u2028\u2029]|\u0085)*:):/gm, '$1\u200B:')
      .replace(/##(?=\[|vso\[)/gi, '##\u200B')
}
