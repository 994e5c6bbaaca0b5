import { describe, expect, it } from 'vitest'
import { growth, SQUARE } from '../../made/effort.ts'
import fc from '../../made/property.ts'
import { found, looked, value } from './made.ts'

const V = value('{base62:6}7k{base62:4}')

describe('a secret without a format of its own is found', () => {
  it.each([
    ['python', `password = "${V}"`],
    ['python', `connect(user="x", password='${V}')`],
    ['python', `d["password"] = "${V}"`],
    ['python', `os.environ.get("SECRET_KEY", "${V}")`],
    ['java', `private static final String DB_PASSWORD = "${V}";`],
    ['java', `account.setPassword("${V}");`],
    ['java', `if (password.equals("${V}"))`],
    ['java', `byte[] salt = "${V}".getBytes();`],
    ['go', `var password string = "${V}"`],
    ['go', `apiKey := []byte("${V}")`],
    ['rust', `let api_key: &str = "${V}";`],
    ['c', `#define DB_PASSWORD "${V}"`],
    ['c', `char password[] = "${V}";`],
    ['json', `{"password": "${V}"}`],
    ['json', `{"name": "DB_PASSWORD", "value": "${V}"}`],
    ['yaml', `db_password: ${V}  # for now`],
    ['yaml', `- name: DB_PASSWORD\n  value: ${V}`],
    ['yaml', `password: |\n  ${V}\n`],
    ['xml', `<password>${V}</password>`],
    ['xml', `<property name="password" value="${V}"/>`],
    ['properties', `spring.datasource.password=${V}`],
    ['bash', `mysql -uroot -p${V} db`],
    ['bash', `curl -u admin:${V} https://host.io/`],
    ['bash', `tool --password ${V} --quiet`],
    ['bash', `curl -H "Authorization: Bearer ${value('{base62:40}')}" https://host.io`],
    ['dockerfile', `ENV DB_PASSWORD ${V}`],
    ['conf', `requirepass ${V}`],
    ['text', `machine ftp.host.io login bob password ${V}`],
    ['text', `postgres://app:${V}@db.host.io/app`],
    ['csharp', `"Server=db;User Id=sa;Password=${V};"`],
    ['php', `define('DB_PASSWORD', '${V}');`],
    ['ruby', `:password => '${V}'`],
    ['sql', `CREATE USER app IDENTIFIED BY '${V}';`],
    ['markdown', `Log in with password: ${V}`],
    ['python', `# password: ${V}`],
    ['php', `mysqli_connect('localhost', 'root', '${V}');`],
    ['ruby', `http.basic_auth "bob", "${V}"`],
    ['python', `client.login('bob', '${V}')`],
    ['javascript', `jwt.sign(payload, '${V}')`],
    ['java', `assertEquals("${V}", user.getPassword());`],
    ['javascript', `await page.fill('input[name="password"]', '${V}')`],
    ['python', `parser.add_argument('--password', default='${V}')`],
    ['terraform', `variable "db_password" {\n  default = "${V}"\n}`],
    ['json', `"passwords": ["${V}"]`],
    ['bash', `echo "root:${V}" | chpasswd`],
    ['bash', `docker login -u bob -p ${V}`],
    ['markdown', `- **Password**: ${V}`],
    ['markdown', `| admin password | ${V} |`],
    ['text', `wachtwoord: ${V}`],
    ['javascript', `const token = process.env.TOKEN || '${value('{hex:32}')}'`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })

  it('as one value where it is put together from parts', () => {
    const [a, b] = [value('{base62:12}', 'a'), value('{base62:12}', 'b')]
    expect(found(`const apiKey = "${a}" +\n  "${b}"`, 'javascript')).toEqual([{ kind: 'key', value: a + b }])
    expect(found(`char *password = "${a}"\n  "${b}";`, 'c')).toEqual([{ kind: 'password', value: a + b }])
  })

  it('in a test as anywhere else: nothing is left out for its path or language', () => {
    expect(found(`def test_login():\n    password = "${V}"`, 'python')).toHaveLength(1)
  })
})

describe('nothing is found', () => {
  it.each([
    ['python', 'password = os.environ["PASSWORD"]'],
    ['python', 'password = get_password("database-main")'],
    ['javascript', 'const password = `${prefix}-${suffix}`'],
    ['yaml', 'password: "{{ vault_db_password }}"'],
    ['yaml', 'password: !vault |'],
    ['yaml', 'password: <your-password>'],
    ['yaml', 'db_admin_password: TBD'],
    ['json', '{"user": "bob", "password": "REDACTED"}'],
    ['java', 'String passwordField = "user_password";'],
    ['java', 'throw new BadCredentialsException("No such user");'],
    ['html', '<label for="password">Password</label>'],
    ['php', "'forgot_password' => 'Mot de passe oublié',"],
    ['properties', 'login.password.label=Enter your password'],
    ['javascript', "const keyboard = 'qwertz-DE-105'"],
    ['javascript', "if (event.key === 'Escape7') close()"],
    ['java', 'String monkey = "banana42x";'],
    ['json', '"publicKey": "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7k3"'],
    ['json', '"integrity": "sha512-9x7kP2mQ4rT6vW8yZ1aB3cD5eF7gH9jK"'],
    ['go', 'tokenCount := "1200"'],
    ['c', '.key = KEY_ENTER,'],
    ['c', 'I915_PW("AUX_TBT1", &icl_pwdoms),'],
    ['bash', 'PASSWORD=$(pass show db/main)'],
    ['bash', 'PASSWORD=${DB_PASSWORD:-}'],
    ['text', 'The password must have 8 characters.'],
    ['text', 'https://user:password@example.com/'],
    ['c', 'printf("token=%016llx\\n", token);'],
    ['conf', 'ProxyPass http://backend.host.io/a7x'],
    ['javascript', "client.login('bob', password)"],
    ['typescript', 'nextToken: "abc123def456"'],
    ['markdown', '| `a-rule` | high | A database asks nobody for a password | CWE-306 |'],
    ['go', 'SigningKey: "awskms:key-id=be468355-ca7a-40d9-a28b-8ae1c4c7f936",'],
    ['php', `$frame = '<iframe data-secret="%5$s"></iframe>';`],
    ['yaml', 'ssh_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJk3mQ9x7kP2'],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})

describe('the search around names', () => {
  it('ends for any text, with spans that are ordered, disjoint and inside it', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'password',
        'api_key',
        'token',
        '"',
        "'",
        '=',
        ':',
        ' ',
        '\n',
        '\\',
        '(',
        ')',
        '<',
        '>',
        ',',
        '://',
        '@',
        'curl -u ',
        '+',
        '[',
        'é',
        '密码',
      ),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('python', 'yaml', 'bash', 'markdown', 'xml', 'c'),
        (pieces, language) => {
          const text = pieces.join('')
          let past = 0
          for (const { start, end } of looked(text, language)) {
            expect(start).toBeGreaterThanOrEqual(past)
            expect(end).toBeGreaterThan(start)
            expect(end).toBeLessThanOrEqual(text.length)
            past = end
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['a name and nothing else', 'password '],
    ['an opening that never closes', 'password = "'],
    ['quotes', 'password="a" "b" '],
    ['brackets', 'password = f(g(h('],
    ['commands', 'curl -u '],
    ['addresses', '://a:b'],
  ])('takes time linear to the text for %s again and again', (_, unit) => {
    expect(growth(count => looked(unit.repeat(count), 'bash'), 2000, 3)).toBeLessThan(SQUARE)
  })

  it.each([
    ['names in one line of a text for people', (count: number) => 'password = {---'.repeat(count)],
    ['blanks below the head of a table', (count: number) => `| user | password |\n${' '.repeat(count)}x\n`],
  ])('takes time linear to the text for %s', (_, text) => {
    expect(growth(count => looked(text(count), 'markdown'), 8000, 3)).toBeLessThan(SQUARE)
  })
})
