import { BUILDING } from './building.ts'
import { COMPILED } from './compiled.ts'
import { DYNAMIC } from './dynamic.ts'
import { FUNCTIONAL } from './functional.ts'
import type { Language } from './language.ts'
import { MARKUP } from './markup.ts'
import { SCRIPTING } from './scripting.ts'
import { SETTINGS } from './settings.ts'
import { TYPED } from './typed.ts'

/** The languages by our own tables: lexis, aliases, and how their files are recognized where linguist knows less or says otherwise. */
export const OWN_LANGUAGES: readonly Language[] = [
  ...TYPED,
  ...DYNAMIC,
  ...FUNCTIONAL,
  ...COMPILED,
  ...SCRIPTING,
  ...MARKUP,
  ...SETTINGS,
  ...BUILDING,
]
