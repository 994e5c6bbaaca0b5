import { adapter as c } from './c.ts'
import { adapter as csharp } from './csharp.ts'
import { adapter as dart } from './dart.ts'
import { adapter as elixir } from './elixir.ts'
import { adapter as go } from './go.ts'
import { adapter as java } from './java.ts'
import { adapter as javascript } from './javascript.ts'
import { adapter as kotlin } from './kotlin.ts'
import { adapter as lua } from './lua.ts'
import { adapter as php } from './php.ts'
import { adapter as python } from './python.ts'
import { adapter as ruby } from './ruby.ts'
import { adapter as rust } from './rust.ts'
import { adapter as scala } from './scala.ts'
import { adapter as swift } from './swift.ts'
import type { LanguageAdapter } from './tree.ts'

const ADAPTERS: Record<string, LanguageAdapter> = {
  c,
  cpp: c,
  csharp,
  elixir,
  dart,
  go,
  java,
  kotlin,
  javascript,
  lua,
  typescript: javascript,
  tsx: javascript,
  python,
  php,
  ruby,
  rust,
  scala,
  swift,
}

/** Languages whose values can be followed. */
export const TAINT_LANGUAGES: readonly string[] = Object.keys(ADAPTERS).sort()

/** The adapter of a language; undefined where there is none. */
export function findAdapter(language: string): LanguageAdapter | undefined {
  return ADAPTERS[language]
}
