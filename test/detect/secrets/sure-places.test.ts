import { describe, expect, it } from 'vitest'
import { found, value } from './made.ts'

const V = value('{base62:5}7k{base62:4}')
/** A word that nothing but its place tells from any other; put together here, so that a scan of this file has nothing to find. */
const W = ['pump', 'kin'].join('')

describe('a password that is a word is found where nothing else can stand', () => {
  it.each([
    ['text', ` standby 2 authentication md5 key-string ${W}`],
    ['text', ` ip ospf authentication-key ${W}`],
    ['text', ` neighbor 10.1.0.1 password ${W}`],
    ['text', `radius-server host 10.1.1.1 key ${W}`],
    ['conf', `enable password ${W}`],
    ['conf', `username admin privilege 15 password 0 ${W}`],
    ['conf', `eve : EAP "${W}"`],
    ['vb', `conn.Open "DSN=shop", "sa", "${W}"`],
    ['javascript', `headers.Authorization = 'Basic ' + btoa('ops:${W}')`],
    ['python', `base64.b64encode(b"ops:${W}")`],
    ['java', `mvc.perform(get("/").with(httpBasic("bob", "${W}")));`],
    ['java', `new BasicAuthenticationInterceptor("svc", "${W}")`],
    ['java', `String h = Credentials.basic("bob", "${W}");`],
    ['perl', `$smtp->auth('bob', '${W}');`],
    ['java', `users.put("amy", "${W}");`],
    ['go', `r.Use(gin.BasicAuth(gin.Accounts{"foo": "${W}"}))`],
    ['javascript', `app.use(basicAuth({ users: { amy: '${W}' } }))`],
    ['yaml', `basic_auth_users:\n  dave: ${W}\nport: 80`],
    ['yaml', `users:\n  dave: ${V}\nport: 80`],
    ['yaml', `passwords:\n  dave: ${V}\nport: 80`],
    ['python', `TOKENS = {"amy": "tok${V}"}`],
    ['go', `require.Equal(t, "${W}", cfg.Password)`],
    ['bash', `docker run -e X=y db; ADMIN_PASS=\${ADMIN_PASS:-${V}}`],
    ['bash', `echo ${W} | docker login -u ci --password-stdin`],
    ['bash', `htpasswd -bn bob ${W}`],
    ['bash', `echo -e "${W}\\n${W}" | passwd bob`],
    ['bash', `ssh-keygen -t rsa -N "${W}" -f key`],
    ['bash', `helm install x chart --set auth.password=${W},auth.user=ci`],
    ['gherkin', `    When I fill in "password" with "${V}"`],
    ['csv', `id,username,password\n1,amy,${W}\n`],
    ['csv', `login\tpasswd\tmail\namy\t${W}\tamy@acme.io\n`],
    ['markdown', `| user | password |\n|------|----------|\n| amy  | ${W}  |\n`],
    ['markdown', `Log in with user admin and password ${W}.\n`],
    ['markdown', `Default credentials: admin / ${W}\n`],
    ['rst', `The account is \`\`tester\`\` with the password \`\`${W}\`\`.`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language).length).toBeGreaterThan(0)
  })

  it('without the brace that closes what a shell takes where a variable is empty', () => {
    expect(found(`ADMIN_PASS=\${ADMIN_PASS:-${V}}`, 'bash').map(one => one.value)).toEqual([V])
  })
})

describe('what stands there without being a password is none', () => {
  it.each([
    ['text', ' neighbor 10.1.0.1 password WORD'],
    ['text', 'radius-server host 10.1.1.1 key string'],
    ['conf', 'enable password required'],
    ['java', 'users.put("amy", "admin");'],
    ['java', 'users.put("amy", user.getName());'],
    ['yaml', 'users:\n  dave: admin\n  erin: viewer\n'],
    ['yaml', 'users:\n  name: dave\n  groups: wheel\n'],
    ['yaml', 'tokens:\n  type: bearer\n  prefix: abc\n'],
    ['python', 'TOKENS = {"plus": "+", "minus": "-", "name": "identifier"}'],
    ['markdown', '| option | password |\n|------|----------|\n| default | none |\n'],
    ['markdown', '| password | string | of the account |\n'],
    ['markdown', 'Log in with your user and password to continue.\n'],
    ['markdown', 'Credentials: username / password\n'],
    ['bash', 'echo "$PW" | docker login -u ci --password-stdin'],
    ['bash', 'ssh-keygen -t rsa -N "" -f key'],
    ['bash', 'ADMIN_PASS=${ADMIN_PASS:-}'],
    ['go', 'require.Equal(t, "", cfg.Password)'],
    ['gherkin', '    Then I see "password" with "value"'],
    ['csv', 'id,username,password\n1,amy,string\n'],
    ['javascript', "btoa('user:' + password)"],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})
