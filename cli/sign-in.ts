import type { SignIn } from '../engine/base/context.ts'
import { escapeInvisibleLine } from '../engine/base/text/visible.ts'

/** What the person is told to do in a browser: lines for reading, or one line of JSON for the program that called. */
export function formatSignIn(signIn: SignIn, json: boolean): string {
  if (json) return `${JSON.stringify(signIn)}\n`
  const { issuer, user_code, verification_uri, verification_uri_complete, expires_at } = signIn
  return [
    `Sign in with ${issuer}: open ${verification_uri}`,
    `and enter the code ${user_code}`,
    ...(verification_uri_complete ? [`or open ${verification_uri_complete}`] : []),
    `The code is valid until ${expires_at}. Waiting; Ctrl-C cancels.`,
  ]
    .map(line => `${escapeInvisibleLine(line)}\n`)
    .join('')
}
