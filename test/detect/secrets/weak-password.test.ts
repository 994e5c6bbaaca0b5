import { describe, expect, it } from 'vitest'
import { detectCommonPassword } from '../../../engine/detect/secrets/generic/chosen-passwords.ts'
import { found } from './made.ts'

const OWN = ['tom', 'cat'].join('')

describe('a password that people choose, and everybody guesses', () => {
  it.each(['monkey123', 'letmein', 'iloveyou', 'Passw0rd!', 'hunter2', 'trustno1', 's3cr3t', 'swordfish'])(
    'is found as any other: %s',
    word => {
      expect(found(`user = "bob"\npassword = "${word}"`, 'python')).toHaveLength(1)
      expect(found(`user: bob\npassword: ${word}`, 'yaml')).toHaveLength(1)
    },
  )

  it.each(['novapass', 'supersecret', 'radpass'])('is found where it is run together with what it is: %s', word => {
    expect(found(`user = "bob"\npassword = "${word}"`, 'python')).toHaveLength(1)
  })

  it.each([
    ['javascript', `mysql.createConnection({ user: '${OWN}', password: '${OWN}' })`],
    ['json', `{"username": "${OWN}", "password": "${OWN}"}`],
  ])('is found where the user has the same text for a name, in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })

  it.each([
    ['javascript', `new Pool({ user: 'brianc', password: '${['secret', '!'].join('')}' })`],
    ['ruby', `pw = Password.new("${['bigblack', 'cat'].join('')}")`],
  ])('is found where it is stressed or made an object of, in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })

  it('is found in the header that it is sent in, encoded with its user', () => {
    const sent = Buffer.from('Aladdin:open sesame').toString('base64')
    expect(found(`headers = {"Authorization": "Basic ${sent}"}`, 'python')).toHaveLength(1)
  })

  it.each(['mypassword', 'yourpassword', 'passwordhere', 'newpassword', 'password'])(
    'is none where it says that another one comes in its place: %s',
    word => {
      expect(found(`user = "bob"\npassword = "${word}"`, 'python')).toEqual([])
    },
  )

  it.each([
    ['Dragon', 'word'],
    ['dr4gon99!', 'changed'],
    ['p@ssw0rd', 'changed'],
    ['password', undefined],
    ['keyboard', undefined],
  ])('is known as it is written and with digits and signs put in, stand-ins only with them: %s', (word, how) => {
    expect(detectCommonPassword(word)).toBe(how)
  })
})

describe('a login without a password', () => {
  it.each([
    ['python', "server.login('bob', '')"],
    ['perl', '$client->login($user, "")'],
    ['python', 'cred = Credential("", "")'],
  ])('gives none: %s %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})

describe('a value is found that stands', () => {
  const V = 'tr0ub4dor'
  it.each([
    ['go', 'behind the name that a test compares it with', `th.AssertEquals(t, s.Password, "${V}")`],
    ['python', 'behind the name that a test compares it with', `self.assertEqual(user.password, '${V}')`],
    ['markdown', 'in a variable that a container is given', `docker run --env="POSTGRES_PASSWORD=${V}" postgres`],
    ['python', 'behind a user and a colon', `{'auth': 'librarian:${V}'}`],
  ])('in %s %s: %s', (language, _, text) => {
    expect(found(text, language).map(({ value }) => value)).toEqual([V])
  })
})
