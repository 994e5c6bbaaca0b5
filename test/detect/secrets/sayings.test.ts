import { describe, expect, it } from 'vitest'
import { found } from './made.ts'

/** Put together here, so that a scan of this file has nothing to find. */
const said = (...words: string[]) => words.join('-')

describe('something said that stands where a key or a password belongs', () => {
  it.each([
    ['python', `app.secret_key = "${said('shhh', 'never', 'tell', 'the', 'neighbours')}"`],
    ['json', `"sessionSecret": "${said('tale', 'of', 'two', 'rivers')}",`],
    ['python', `jwt.encode(payload, "${said('keep', 'it', 'under', 'your', 'pillow')}", algorithm="HS256")`],
  ])('is a credential, in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })

  it.each([
    ['yaml', 'secretName: user-session-signing-key'],
    ['json', '"tokenKey": "access-token-store",'],
    ['javascript', "const passwordHint = 'name-of-your-cat'"],
    ['python', 'password = "the password of the user"'],
    ['php', "'password' => 'Please enter your password',"],
  ])('is none where it names a thing or speaks of one, in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})
