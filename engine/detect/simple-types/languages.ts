import { simpleTypes as csharp } from './languages/csharp.ts'
import { simpleTypes as dart } from './languages/dart.ts'
import { simpleTypes as go } from './languages/go.ts'
import { simpleTypes as java } from './languages/java.ts'
import { simpleTypes as javascript } from './languages/javascript.ts'
import { simpleTypes as kotlin } from './languages/kotlin.ts'
import { simpleTypes as php } from './languages/php.ts'
import { simpleTypes as python } from './languages/python.ts'
import { simpleTypes as ruby } from './languages/ruby.ts'
import { simpleTypes as rust } from './languages/rust.ts'
import { simpleTypes as scala } from './languages/scala.ts'
import { simpleTypes as swift } from './languages/swift.ts'
import type { SimpleTypes } from './simple-types.ts'

const LANGUAGES: Readonly<Record<string, SimpleTypes>> = {
  csharp,
  dart,
  go,
  java,
  javascript,
  kotlin,
  php,
  python,
  ruby,
  rust,
  scala,
  swift,
  tsx: javascript,
  typescript: javascript,
}

/** The simple types of a language; undefined where nothing is known of them. */
export function findSimpleTypes(language: string): SimpleTypes | undefined {
  return Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined
}
