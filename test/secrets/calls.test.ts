import { describe, expect, it } from 'vitest'
import { found, value } from './made.ts'

const V = value('{base62:5}7k{base62:4}')
const WORD = 'porkchop'

describe('a credential that a call takes is found', () => {
  it.each([
    ['javascript', `request.get('/').auth('bob', '${V}')`],
    ['javascript', `const cipher = crypto.createCipher('aes192', '${V}')`],
    ['javascript', `const plain = crypto.createDecipher('aes192', "${V}")`],
    ['php', `$out = openssl_encrypt($data, 'aes-256-cbc', '${V}', 0, $iv);`],
    ['python', `cipher = AES.new(b'${V}', AES.MODE_CBC, iv)`],
    ['python', `jwe.encrypt('hello', '${V}', algorithm='dir')`],
    ['python', `jws.verify(signed, '${V}', algorithms=['HS256'])`],
    ['java', `subject.login(new UsernamePasswordToken("bob", "${V}"));`],
    ['perl', `$ua->credentials('acme.io:80', 'Members', 'bob', '${V}');`],
    ['go', `nc, err := nats.Connect(url, nats.UserInfo("bob", "${V}"))`],
    ['python', `requests.get(url, auth=('bob', '${WORD}'))`],
    ['go', `if got, want := r.Header.Get("Authorization"), "Bearer ${V}"; got != want {`],
    ['java', `run("CREATE USER IF NOT EXISTS 'bob'@'db7' IDENTIFIED BY '!${V}'");`],
    ['python', `db.run("INSERT INTO users (name, pass) VALUES ('bob', '${V}')")`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })
})

describe('a call that takes no credential gives nothing', () => {
  it.each([
    ['javascript', "request.get('/').auth(user, pass)"],
    ['javascript', "passport.auth('facebook', 'callback')"],
    ['javascript', "const cipher = crypto.createCipher('aes192', password)"],
    ['php', "$out = openssl_encrypt($data, 'aes-256-cbc', $key, 0, $iv);"],
    ['python', 'cipher = AES.new(key, AES.MODE_CBC, iv)'],
    ['python', "jwe.encrypt('hello', key, algorithm='dir')"],
    ['java', 'subject.login(new UsernamePasswordToken(user, password));'],
    ['perl', '$ua->credentials($host, "Members area 51", $user, $password);'],
    ['go', 'nats.UserInfo(user, password)'],
    ['python', "auth_methods = ['basic', 'digest']"],
    ['python', "auth = ('basic', 'digest', 'ntlm')"],
    ['go', 'if got, want := r.Header.Get("Authorization"), "Bearer "+own; got != want {'],
    ['yaml', 'password: !Ref DatabasePassword'],
    ['python', `db.run("INSERT INTO runs (name, pass) VALUES ('bob', '%s')")`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})
