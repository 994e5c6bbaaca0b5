import type { TaintModel } from '../../../base/records/taint-model.ts'
import { model as c } from './c.ts'
import { model as csharp } from './csharp.ts'
import { model as go } from './go.ts'
import { model as java } from './java.ts'
import { model as javascript } from './javascript.ts'
import { model as kotlin } from './kotlin.ts'
import { model as php } from './php.ts'
import { model as python } from './python.ts'
import { model as ruby } from './ruby.ts'

const MODELS: readonly TaintModel[] = [c, csharp, go, java, javascript, kotlin, php, python, ruby]

/** What is known of a language's libraries; undefined where there is no model. */
export function findModel(language: string): TaintModel | undefined {
  return MODELS.find(({ languages }) => languages.includes(language))
}
