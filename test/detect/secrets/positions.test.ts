import { describe, expect, it } from 'vitest'
import { found, looked } from './made.ts'

const WORD = ['pork', 'chop'].join('')
const OTHER = ['velvet', 'moss'].join('')

const values = (text: string, language: string) => found(text, language).map(({ value }) => value)

describe('a password is found that stands in the rows of a table by its place alone', () => {
  it.each([
    ['go', `tests := []struct {\n\tname string\n\tuser, password string\n}{\n\t{"good", "bob", "${WORD}"},\n}`],
    ['go', `type login struct {\n\tPassword string // in clear\n\tOk bool\n}\nvar all = []login{{"${WORD}", true}}`],
    [
      'go',
      `for _, tc := range map[string]struct {\n\tpassword string\n\tok bool\n}{\n\t"one": {"${WORD}", true},\n} {`,
    ],
    ['python', `@pytest.mark.parametrize("user, password", [("bob", "${WORD}")])`],
    ['python', `@pytest.mark.parametrize(['user', 'password'], [\n    # a comment\n    ['bob', '${WORD}'],\n])`],
    ['python', `@pytest.mark.parametrize(("user", "password"), [pytest.param("bob", "${WORD}", id="x")])`],
    ['python', `@pytest.mark.parametrize("password", ["${WORD}", ""])`],
    ['sql', `CREATE TABLE users (id INT, password VARCHAR(60));\nINSERT INTO users VALUES (1, '${WORD}');`],
    ['sql', `create table "users" ("name" text, "password" text);\ninsert into users values ('bob', '${WORD}');`],
    [
      'sql',
      `CREATE TABLE u (\n  name TEXT,\n  pass TEXT,\n  PRIMARY KEY (name)\n);\nINSERT INTO u VALUES ('bob', '${WORD}');`,
    ],
    ['sql', `INSERT INTO users (name, password) VALUES ('bob', NULL), ('amy', '${WORD}');`],
  ])('%s: %s', (language, text) => {
    expect(values(text, language)).toEqual([WORD])
  })

  it('in every row of it', () => {
    const rows = `CREATE TABLE u (name TEXT, pass TEXT);\nINSERT INTO u VALUES ('bob', '${WORD}'),\n  ('amy', '${OTHER}');`
    expect(values(rows, 'sql')).toEqual([WORD, OTHER])
  })
})

describe('and none', () => {
  it.each([
    [
      'where the row has other places than the table',
      `CREATE TABLE u (a TEXT, pass TEXT, b TEXT);\nINSERT INTO u VALUES ('x', '${WORD}');`,
      'sql',
    ],
    [
      'where another table is meant',
      `CREATE TABLE u (a TEXT, pass TEXT);\nINSERT INTO labels VALUES ('x', '${WORD}');`,
      'sql',
    ],
    [
      'where a parameter is its own label',
      '@pytest.mark.parametrize("field, label", [("password", "Password")])',
      'python',
    ],
    ['where the field is no text', `tests := []struct {\n\tpassword bool\n\tname string\n}{{true, "${WORD}"}}`, 'go'],
    ['where the row gives a variable', 'tests := []struct {\n\tuser, password string\n}{{"bob", secret}}', 'go'],
  ])('%s', (_, text, language) => {
    expect(values(text, language)).toEqual([])
  })

  it('is looked for in time linear to the text', () => {
    const start = performance.now()
    looked('CREATE TABLE u (a TEXT, pass TEXT);\n'.repeat(10_000), 'sql')
    looked('type t struct {\n\tpassword string\n}\n'.repeat(10_000), 'go')
    looked('def f(user, password):\n'.repeat(10_000), 'python')
    looked('def f(user, password): f("a", "b")\n'.repeat(3000), 'python')
    looked('user, password, '.repeat(10_000), 'python')
    looked('struct { char *password; } '.repeat(10_000), 'c')
    looked('@pytest.mark.parametrize("password", [\n'.repeat(10_000), 'python')
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

describe('a password is found in a table for people', () => {
  it.each([
    ['rst', `======  ==========\nUser    Password\n======  ==========\nbob     ${WORD}\n======  ==========\n`],
    ['rst', `+-----+----------+\n| User | Password |\n+=====+==========+\n| bob | ${WORD} |\n+-----+----------+\n`],
    ['gherkin', `Examples:\n  | user | password |\n  | bob  | ${WORD} |\n`],
    ['text', `# client\tserver\tsecret\tIP addresses\nbob * ${WORD} *\n`],
    ['text', `\${PASSWORD}      ${WORD}\n`],
    ['text', `\${VALID PASSWORD} =    Set Variable    ${WORD}\n`],
    ['text', `    Input Password    id=pw    ${WORD}\n`],
  ])('%s: %s', (language, text) => {
    expect(values(text, language)).toEqual([WORD])
  })

  it.each([
    [
      'rst',
      '========  ==========\nSetting   Password\n========  ==========\nlength    required\n========  ==========\n',
    ],
    ['gherkin', 'Given the fields:\n  | field | password |\n  | label | Password |\n'],
    ['text', '${PASSWORD_FIELD}    id=pw\n${PASSWORD LABEL}    Password\n'],
    ['text', '    Input Password    id=pw    ${PASSWORD}\n'],
    ['text', '# client\tserver\tsecret\tIP addresses\n# bob * porkchop *\n'],
  ])('and no label of one, %s: %s', (language, text) => {
    expect(values(text, language)).toEqual([])
  })
})

describe('a password is found behind what says how it is kept', () => {
  const PHRASE = ['willow tree', 'by the brook', '9'].join(' ')
  const LONG = [WORD, '7Qx2'].join('')
  it.each([
    ['java', `user("bob").password("{noop}${WORD}")`, WORD],
    ['text', `userPassword: {CLEARTEXT}${WORD}`, WORD],
    ['text', `bob:{PLAIN}${WORD}`, WORD],
    ['conf', `masterauth ${WORD}`, WORD],
    ['yaml', `  script:\n    - PGPASSWORD=${WORD} psql -h db shop`, WORD],
    ['yaml', `  password: <%= ENV['PW'] || '${WORD}' %>`, WORD],
    ['powershell', `'${WORD}' | ConvertTo-SecureString -AsPlainText -Force`, WORD],
    ['csharp', `await userManager.CreateAsync(user, "${WORD}x7");`, `${WORD}x7`],
    ['java', `byte[] k = "${PHRASE}".getBytes();\nKey key = new SecretKeySpec(k, "AES");`, PHRASE],
    ['csharp', `var k = Encoding.UTF8.GetBytes("${LONG}");\nvar s = new SymmetricSecurityKey(k);`, LONG],
    ['go', `block, err := aes.NewCipher([]byte("${WORD}7Qx2mKzR"))`, `${WORD}7Qx2mKzR`],
  ])('%s: %s', (language, text, value) => {
    expect(values(text, language)).toEqual([value])
  })

  it.each([
    ['java', `byte[] k = "${PHRASE}".getBytes();\nout.write(k);`],
    ['java', `md.update("${PHRASE}".getBytes());`],
    ['text', 'Schemes: {PLAIN}, {CLEARTEXT} and {SSHA}.'],
    ['yaml', "  password: <%= ENV['PW'] %>"],
    ['bash', ['PASSWORD=', '`cat pw`'].join('')],
    ['xml', '<string name="secret">Geheimnis</string>'],
    ['csharp', `await files.CreateAsync(folder, "${WORD}x7");`],
  ])('and nowhere else, %s: %s', (language, text) => {
    expect(values(text, language)).toEqual([])
  })
})

describe('a password is found that a name gets by its place', () => {
  const V = [WORD, '7'].join('')
  it.each([
    ['python', `def login(user, password):\n    pass\n\nlogin("bob", "${V}")`],
    [
      'python',
      `class T:\n    def auth(self, user, password=None):\n        pass\n    def test(self):\n        self.auth("bob", "${V}")`,
    ],
    ['java', `record User(String name, String password) {}\nvar u = new User("bob", "${V}");`],
    ['java', `private void check(String user, String password) throws X {\n}\nvoid t() { check("bob", "${V}"); }`],
    ['go', `func login(user, password string) {}\nfunc t() { login("bob", "${V}") }`],
    ['rust', `fn login(user: &str, password: &str) {}\nfn t() { login("bob", "${V}"); }`],
    ['javascript', `function login(user, password) {}\nlogin('bob', '${V}')`],
    ['perl', `my ($user, $pass) = ('bob', '${V}');`],
    ['go', `user, pass := "bob", "${V}"`],
    ['javascript', `const [user, password] = ['bob', '${V}']`],
    ['c', `struct u { const char *name; const char *password; } users[] = {\n  { "bob", "${V}" },\n};`],
    ['c', `libssh2_userauth_password(session, "bob", "${V}");`],
    ['c', `mosquitto_username_pw_set(m, "bob", "${V}");`],
    ['c', `PKCS5_PBKDF2_HMAC("${V}", -1, salt, 8, 1000, md, 20, out);`],
    ['c', `ldap_simple_bind_s(ld, "cn=admin", "${V}");`],
    ['php', `$ldap->bind("cn=admin", "${V}");`],
    ['php', `imap_open("{h}", "bob", "${V}");`],
    ['php', `$client->setAuth("bob", "${V}");`],
    ['ruby', `Net::SMTP.start('h', 25, 'd', 'bob', '${V}', :login)`],
    ['rust', `Credentials::new("bob".to_string(), "${V}".to_string())`],
    ['java', `assertTrue(encoder.matches("${V}", hash));`],
    ['python', `c = Connection(server, 'cn=admin', '${V}')`],
    ['haskell', `basicAuth "bob" "${V}"`],
    ['xml', `<wsse:Password Type="x">${V}</wsse:Password>`],
    ['bash', `echo -n ${V} | cryptsetup luksFormat /dev/sdb -`],
    ['bash', `kinit bob <<< ${V}`],
    ['bash', `kadmin.local -q "addprinc -pw ${V} bob"`],
    ['bash', `samba-tool user create bob ${V}`],
    ['bash', `nmcli dev wifi connect shop password ${V}`],
    ['bash', `net rpc user -U bob%${V}`],
    ['bash', `gpg --batch --passphrase-fd 0 <<< ${V}`],
    ['conf', `register => bob:${V}@acme`],
    ['conf', `createUser bob MD5 ${V} DES`],
    ['conf', `SetEnv DB_PASSWORD ${V}`],
    ['sql', `PRAGMA key = '${V}';`],
    ['sql', `EXEC sp_addlogin 'bob', '${V}'`],
  ])('%s: %s', (language, text) => {
    expect(values(text, language)).toEqual([V])
  })

  it.each([
    ['python', 'def label(name, password):\n    pass\n\nlabel("name", "Password")'],
    ['python', `def login(user, password):\n    pass\n\nlogin("${V}", word)`],
    ['python', `def login(user, password):\n    pass\n\nother("bob", "${V}")`],
    ['javascript', "const [user, password] = ['User', 'Password']"],
    ['go', `user, pass := "${V}", readPassword()`],
    ['php', `$socket->bind("0.0.0.0", "${V}");`],
    ['bash', 'kinit bob <<< "$PASSWORD"'],
    ['bash', 'samba-tool user create bob --random-password'],
    ['conf', 'register => bob:${SECRET}@acme'],
  ])('and none, %s: %s', (language, text) => {
    expect(values(text, language)).toEqual([])
  })
})
