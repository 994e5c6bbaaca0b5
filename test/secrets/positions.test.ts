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
    ['bash', 'PASSWORD=`cat pw`'],
    ['xml', '<string name="secret">Geheimnis</string>'],
    ['csharp', `await files.CreateAsync(folder, "${WORD}x7");`],
  ])('and nowhere else, %s: %s', (language, text) => {
    expect(values(text, language)).toEqual([])
  })
})
