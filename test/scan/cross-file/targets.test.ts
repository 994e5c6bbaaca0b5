import { expect, test } from 'vitest'
import { Targets } from '../../../engine/scan/cross-file/targets.ts'

const find = (paths: string[], from: string, language: string, callee: string): string[] =>
  new Targets([...paths, from]).find(from, language, callee).map(({ path, names }) => [path, ...names].join(' '))

test('a relative module of JavaScript is a file, an index, or TypeScript behind a name in .js', () => {
  const paths = ['lib/db.js', 'lib/users/index.ts', 'lib/mail.service.ts']
  const at = (callee: string) => find(paths, 'web/routes.js', 'javascript', callee)
  expect(at('../lib/db.find')).toEqual(['lib/db.js find'])
  expect(at('../lib/db')).toEqual(['lib/db.js'])
  expect(at('../lib/users.Users.find')).toEqual(['lib/users/index.ts Users find'])
  expect(at('../lib/mail.service.send')).toEqual(['lib/mail.service.ts send'])
  expect(at('../lib/mail.service.js.send')).toEqual(['lib/mail.service.ts send'])
  expect(at('../lib/none.find')).toEqual([])
  expect(at('express.Router')).toEqual([])
})

test('a module behind @/ is looked for below src', () => {
  expect(find(['app/src/lib/db.ts'], 'app/src/web/a.ts', 'typescript', '@/lib/db.find')).toEqual([
    'app/src/lib/db.ts find',
  ])
})

test('a module of Python is a file or a package, the nearest where several have the name', () => {
  const paths = ['one/app/db.py', 'two/app/db.py', 'one/app/mail/__init__.py']
  const at = (callee: string) => find(paths, 'one/app/views.py', 'python', callee)
  expect(at('app.db.find')).toEqual(['one/app/db.py find'])
  expect(at('app.db.Store.find')).toEqual(['one/app/db.py Store find'])
  expect(at('app.mail.send')).toEqual(['one/app/mail/__init__.py send'])
  expect(at('os.path.join')).toEqual([])
})

test('a module of Rust is a file or a directory of the own crate', () => {
  const paths = ['src/db.rs', 'src/mail/mod.rs', 'src/store/users.rs']
  const at = (callee: string) => find(paths, 'src/main.rs', 'rust', callee)
  expect(at('crate.db.find')).toEqual(['src/db.rs find'])
  expect(at('db.Repo.find')).toEqual(['src/db.rs Repo find'])
  expect(at('super.mail.send')).toEqual(['src/mail/mod.rs send'])
  expect(at('crate.store.users.find')).toEqual(['src/store/users.rs find'])
  expect(at('std.fs.read')).toEqual([])
})

test('a class is the file of its name, with what implements an interface by the usual names', () => {
  expect(find(['a/UserService.java', 'a/UserServiceImpl.java'], 'a/Web.java', 'java', 'UserService.find')).toEqual([
    'a/UserService.java UserService find',
    'a/UserServiceImpl.java UserServiceImpl find',
  ])
  expect(find(['UserService.cs', 'IUserService.cs'], 'Web.cs', 'csharp', 'IUserService.Find')).toEqual([
    'IUserService.cs IUserService Find',
    'UserService.cs UserService Find',
  ])
  expect(find(['app/user_search.rb'], 'app/web.rb', 'ruby', 'UserSearch.call')).toEqual([
    'app/user_search.rb UserSearch call',
  ])
})

test('a name that too many files have leads nowhere', () => {
  const paths = ['a', 'b', 'c', 'd'].map(name => `${name}/UserService.java`)
  expect(find(paths, 'Web.java', 'java', 'UserService.find')).toEqual([])
})

test('a package of Go is all files of its directory, and a plain name one of the own package', () => {
  const paths = ['store/users.go', 'store/orders.go', 'web/tools.go']
  const at = (callee: string) => find(paths, 'web/web.go', 'go', callee)
  expect(at('example.org/app/store.Find')).toEqual(['store/users.go Find', 'store/orders.go Find'])
  expect(at('run')).toEqual(['web/tools.go run'])
  expect(at('Tools.Run')).toEqual(['web/tools.go Tools Run'])
  expect(at('fmt.Sprintf')).toEqual([])
})

test('a text that names no other file is not parsed for calls of one', () => {
  const targets = new Targets(['a.py', 'b.py', 'app/c.js', 'app/d.js'])
  expect(targets.mayCall('a.py', 'python', 'import os\nfrom b import f\n')).toBe(true)
  expect(targets.mayCall('a.py', 'python', 'from . import b\n')).toBe(true)
  expect(targets.mayCall('a.py', 'python', 'import os\nx = "from b import f"\n')).toBe(false)
  expect(targets.mayCall('app/c.js', 'javascript', "const d = require('./d')\n")).toBe(true)
  expect(targets.mayCall('app/c.js', 'javascript', "import d from './none'\nimport e from 'express'\n")).toBe(false)
})
