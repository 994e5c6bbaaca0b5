import { COMPILED } from '../base/languages/compiled.ts'
import { DYNAMIC } from '../base/languages/dynamic.ts'
import { FUNCTIONAL } from '../base/languages/functional.ts'
import { SCRIPTING } from '../base/languages/scripting.ts'
import { TYPED } from '../base/languages/typed.ts'

/** Languages of the dynamic table that hold data, queries or pages rather than programs. */
const NO_PROGRAMS = new Set(['html', 'css', 'sql', 'yaml', 'json', 'toml'])

/** Languages in which programs are written: files in them are counted as source and test files. */
export const PROGRAM_LANGUAGES: ReadonlySet<string> = new Set(
  [COMPILED, DYNAMIC, FUNCTIONAL, SCRIPTING, TYPED]
    .flat()
    .map(({ name }) => name)
    .filter(name => !NO_PROGRAMS.has(name))
    .concat('vue', 'svelte', 'astro'),
)
