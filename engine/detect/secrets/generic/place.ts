/** How a language writes values, as far as telling a secret from a reference goes. */
export type Writing =
  /** Values that are meant as they stand are in quotes; a bare word is a reference. */
  | 'code'
  /** A bare word is a value. */
  | 'config'
  /** Shell and the like: a bare word is a value, and so is the word after an option. */
  | 'shell'
  /** Values stand between tags and in attributes. */
  | 'markup'
  /** Text for people; anything may stand in it. */
  | 'prose'
  /** JSON: everything that matters is in quotes. */
  | 'json'

const WRITING: Record<string, Writing> = {}
const add = (writing: Writing, names: string) => {
  for (const name of names.split(' ')) WRITING[name] = writing
}
add('config', 'yaml toml apache conf csv dotenv ignore ini nginx properties bibtex kconfig spec gomod rego')
add('shell', 'bash csh fish nushell batch dockerfile makefile just tcl powershell awk sed')
add(
  'markup',
  'xml html asciidoc blade coldfusion ejs erb freemarker jinja jsp liquid mustache twig velocity vue svelte handlebars aspx astro razor smarty',
)
add('prose', 'markdown org rst text latex diff gherkin haml pug')
add('json', 'json jsonnet')

export function getWritingRules(language: string): Writing {
  return WRITING[language] ?? 'code'
}
