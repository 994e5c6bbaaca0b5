import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder } from '../../made/folder.ts'
import { readImports as imports } from './read-imports.ts'

describe('imports of JavaScript and TypeScript', () => {
  it('have their kind: values, types, re-exports, import(), require()', async () => {
    const { edges, unresolved } = await imports({
      'a.ts': [
        "import b, { type B } from './b'",
        "import type { T } from './b'",
        "import { type X, type Y } from './b'",
        "export * from './b'",
        "export type { T } from './b'",
        "import './b.js'",
        "type Z = import('./b').Z | Array<import('./b').Y>",
        "const later = await import('./b')",
        '// import "./no"',
        'const no = \'import "./no"\'',
      ].join('\n'),
      'b.ts': 'export default 1\n',
      'c.cjs': "const b = require('./b')\nconst d = require(name)\nconst fs = require('fs')\n",
      'd.ts': "import e = require('./b')\n",
    })
    expect(edges).toEqual([
      'a.ts:1 import b.ts',
      'a.ts:2 type b.ts',
      'a.ts:3 type b.ts',
      'a.ts:4 reexport b.ts',
      'a.ts:5 type b.ts',
      'a.ts:6 import b.ts',
      'a.ts:7 type b.ts',
      'a.ts:7 type b.ts',
      'a.ts:8 dynamic b.ts',
      'c.cjs:1 require b.ts',
      'c.cjs:3 require node:fs (builtin)',
      'd.ts:1 import b.ts',
    ])
    expect(unresolved).toEqual(['c.cjs:2 name computed'])
  })

  it('are seen behind JSX in which an apostrophe begins no string', async () => {
    const { edges } = await imports({
      'a.tsx': "export const a = () => <p>Don't</p>\nexport const b = () => import('./b')\n",
      'b.ts': 'export {}\n',
    })
    expect(edges).toEqual(['a.tsx:2 dynamic b.ts'])
  })

  it('follow paths of tsconfig.json, and packages of the workspace to their sources', async () => {
    const files = {
      'package.json': '{ "workspaces": ["packages/*"] }',
      'packages/app/package.json': '{ "name": "@x/app", "dependencies": { "@x/lib": "*", "react": "*" } }',
      'packages/app/tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
      'packages/app/src/main.ts':
        "import '~/view'\nimport '@x/lib'\nimport '@x/lib/extra'\nimport 'react'\nimport '@x/lib/nothing'\nimport 'unknown'\n",
      'packages/app/src/view.ts': 'export {}\n',
      'packages/lib/package.json':
        '{ "name": "@x/lib", "exports": { ".": { "import": "./dist/index.js" }, "./extra": "./src/extra.ts" } }',
      'packages/lib/src/index.ts': 'export {}\n',
      'packages/lib/src/extra.ts': 'export {}\n',
    }
    const expected = [
      'packages/app/src/main.ts:1 import packages/app/src/view.ts',
      'packages/app/src/main.ts:2 import packages/lib/src/index.ts',
      'packages/app/src/main.ts:3 import packages/lib/src/extra.ts',
      'packages/app/src/main.ts:4 import react (package)',
    ]
    const plain = await imports(files)
    expect(plain.edges).toEqual(expected)
    expect(plain.unresolved).toEqual([
      'packages/app/src/main.ts:5 @x/lib/nothing missing',
      'packages/app/src/main.ts:6 unknown missing',
    ])
    // The same where the workspace is installed: a link in node_modules.
    const root = folder(files)
    mkdirSync(join(root, 'node_modules/@x'), { recursive: true })
    symlinkSync(join(root, 'packages/lib'), join(root, 'node_modules/@x/lib'))
    expect((await imports(files, root)).edges).toEqual(expected)
  })

  it('take the files that a template can mean, and the scripts of components', async () => {
    const { edges } = await imports({
      'a.ts': 'export const load = (name: string) => import(`./pages/${name}.ts`)\n',
      'pages/one.ts': 'export {}\n',
      'pages/two.ts': 'export {}\n',
      'app.vue':
        '<template><p>import "./no"</p></template>\n<script setup lang="ts">\nimport { load } from \'./a\'\n</script>\n',
    })
    expect(edges).toEqual(['a.ts:1 dynamic pages/one.ts', 'a.ts:1 dynamic pages/two.ts', 'app.vue:3 import a.ts'])
  })

  it('lead to a script and not to the declaration beside it', async () => {
    const { edges } = await imports({
      'a.ts': "import './b.mjs'\nimport './c.js'\n",
      'b.mjs': '',
      'b.d.mts': '',
      'c.js': '',
      'c.d.ts': '',
    })
    expect(edges).toEqual(['a.ts:1 import b.mjs', 'a.ts:2 import c.js'])
  })

  it('are resolved without the paths of a tsconfig.json that cannot be read, which is said', async () => {
    const { edges, notices } = await imports({
      'tsconfig.json': '{ "extends": "./gone.json" }',
      'a.ts': "import './b'\n",
      'b.ts': '',
    })
    expect(edges).toEqual(['a.ts:1 import b.ts'])
    expect(notices).toEqual([expect.stringContaining('A tsconfig.json cannot be read')])
  })
})

describe('imports of Python', () => {
  it('are those of modules, packages and relative ones; TYPE_CHECKING makes them of types alone', async () => {
    const { edges, unresolved } = await imports({
      'src/shop/__init__.py': '',
      'src/shop/order.py': [
        'import os, json as j',
        'from typing import TYPE_CHECKING',
        'from . import money',
        'from .db.query import (',
        '    find,  # a comment, with a comma',
        '    save,',
        ')',
        'import shop.db',
        'from shop import money as m, nothing',
        'if TYPE_CHECKING:',
        '    from shop.page import Page',
        'import requests.adapters',
        'from shop.gone import x',
        '"""',
        'import docstring',
        '"""',
        'later = importlib.import_module("shop.page")',
        'from ....far import x',
      ].join('\n'),
      'src/shop/money.py': '',
      'src/shop/page.py': 'def f():\n    from . import order\n',
      'src/shop/db/__init__.py': '',
      'src/shop/db/query.py': '',
      'pyproject.toml': '',
    })
    expect(edges).toEqual([
      'src/shop/order.py:1 import json (builtin)',
      'src/shop/order.py:1 import os (builtin)',
      'src/shop/order.py:2 import typing (builtin)',
      'src/shop/order.py:3 import src/shop/money.py',
      'src/shop/order.py:4 import src/shop/db/query.py',
      'src/shop/order.py:8 import src/shop/db/__init__.py',
      'src/shop/order.py:9 import src/shop/__init__.py',
      'src/shop/order.py:9 import src/shop/money.py',
      'src/shop/order.py:11 type src/shop/page.py',
      'src/shop/order.py:12 import requests (package)',
      'src/shop/order.py:17 dynamic src/shop/page.py',
      'src/shop/page.py:2 import src/shop/order.py',
    ])
    expect(unresolved).toEqual(['src/shop/order.py:13 shop.gone missing', 'src/shop/order.py:18 ....far missing'])
  })
})

describe('imports of Go', () => {
  it('are those of packages, by the module of go.mod', async () => {
    const { edges, unresolved } = await imports({
      'go.mod': 'module example.org/shop\n\ngo 1.22\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\tq "example.org/shop/internal/db" // the database\n\t"github.com/lib/pq/oid"\n)\n\nimport "example.org/shop/gone"\n',
      'internal/db/db.go': 'package db\n\nimport _ "net/http"\n',
      'internal/db/a.go': 'package db\n',
    })
    expect(edges).toEqual([
      'internal/db/db.go:3 import net/http (builtin)',
      'main.go:4 import fmt (builtin)',
      'main.go:5 import internal/db/db.go',
      'main.go:6 import github.com/lib/pq (package)',
    ])
    expect(unresolved).toEqual(['main.go:9 example.org/shop/gone missing'])
  })
})

describe('imports of Java and Kotlin', () => {
  it('are those of types, also of the own package and behind a star, in both languages', async () => {
    const { edges, unresolved } = await imports({
      'a/App.java':
        'package a;\n\nimport b.Order;\nimport b.db.*;\nimport static b.Money.ZERO;\nimport java.util.List;\nimport org.junit.jupiter.api.Test;\nimport b.Gone;\n\nclass App { Query q; Near n; /* Unused u; */ String s = "Other"; }\n',
      'a/Near.java': 'package a;\nclass Near {}\n',
      'b/Order.java': 'package b;\npublic class Order {}\n',
      'b/Money.kt': 'package b\n\nimport a.helper\nobject Money { val ZERO = 0 }\n',
      'a/Util.kt': 'package a\n\nfun helper() = 1\n',
      'b/db/Query.java': 'package b.db;\nclass Query {}\n',
      'b/db/Other.java': 'package b.db;\nclass Other {}\n',
    })
    expect(edges).toEqual([
      'a/App.java:3 import b/Order.java',
      'a/App.java:4 import b/db/Query.java',
      'a/App.java:5 import b/Money.kt',
      'a/App.java:6 import java.util (builtin)',
      'a/App.java:7 import org.junit.jupiter (package)',
      'a/App.java:10 import a/Near.java',
      'b/Money.kt:3 import a/Util.kt',
    ])
    expect(unresolved).toEqual(['a/App.java:8 b.Gone missing'])
  })
})

describe('imports of C#', () => {
  it('are the types that stand in a file, of the namespaces that it uses or is in', async () => {
    const { edges } = await imports({
      'App.cs':
        'using System.Linq;\nusing Shop.Data;\nusing Newtonsoft.Json;\nnamespace Shop.Web;\nclass App { Query q; Price p; }\n',
      'Query.cs': 'namespace Shop.Data { public class Query {} }\n',
      'Unused.cs': 'namespace Shop.Data { public class Unused {} }\n',
      'Price.cs': 'namespace Shop { public record Price(int Cents); }\n',
    })
    expect(edges).toEqual([
      'App.cs:1 import System.Linq (builtin)',
      'App.cs:2 import Query.cs',
      'App.cs:3 import Newtonsoft.Json (package)',
      'App.cs:5 import Price.cs',
    ])
  })
})

describe('imports of Rust', () => {
  it('are use trees and paths, across the crates of the workspace; mod declares', async () => {
    const { edges, unresolved } = await imports({
      'app/Cargo.toml': '[package]\nname = "app"\n',
      'app/src/main.rs':
        'mod db;\nmod gone;\nuse std::fmt;\nuse crate::db::{query::{self, Find}, Pool as P};\nuse my_lib::money::Price;\nuse serde::Serialize;\nfn main() { crate::db::query::run(); }\n',
      'app/src/db/mod.rs': 'pub mod query;\npub struct Pool;\n',
      'app/src/db/query.rs': 'use super::Pool;\npub struct Find;\n',
      'lib/Cargo.toml': '[package]\nname = "my-lib"\n',
      'lib/src/lib.rs': 'pub mod money;\npub use self::money::Price;\n',
      'lib/src/money.rs': 'pub struct Price;\n',
    })
    expect(edges).toEqual([
      'app/src/db/mod.rs:1 declare app/src/db/query.rs',
      'app/src/db/query.rs:1 import app/src/db/mod.rs',
      'app/src/main.rs:1 declare app/src/db/mod.rs',
      'app/src/main.rs:3 import std (builtin)',
      'app/src/main.rs:4 import app/src/db/mod.rs',
      'app/src/main.rs:4 import app/src/db/query.rs',
      'app/src/main.rs:4 import app/src/db/query.rs',
      'app/src/main.rs:5 import lib/src/money.rs',
      'app/src/main.rs:6 import serde (package)',
      'app/src/main.rs:7 import app/src/db/query.rs',
      'lib/src/lib.rs:1 declare lib/src/money.rs',
      'lib/src/lib.rs:2 reexport lib/src/money.rs',
    ])
    expect(unresolved).toEqual(['app/src/main.rs:2 gone missing'])
  })
})

describe('includes of C and C++', () => {
  it('are looked for beside the file, in include directories, and by the end of the path', async () => {
    const { edges, unresolved } = await imports({
      'src/a.c':
        '#include "a.h"\n#include <stdio.h>\n#include "lib/b.h"\n#include <shop/c.h>\n#include "gone.h"\n#include HEADER\n/* #include "no.h" */\n',
      'src/a.h': '',
      'include/lib/b.h': '',
      'other/include/shop/c.h': '',
    })
    expect(edges).toEqual([
      'src/a.c:1 import src/a.h',
      'src/a.c:2 import stdio.h (builtin)',
      'src/a.c:3 import include/lib/b.h',
      'src/a.c:4 import other/include/shop/c.h',
    ])
    expect(unresolved).toEqual(['src/a.c:5 gone.h missing', 'src/a.c:6 HEADER computed'])
  })
})

describe('imports of PHP', () => {
  it('are classes by their declaration, packages, and files that are required', async () => {
    const { edges, unresolved } = await imports({
      'composer.json': '{ "autoload": { "psr-4": { "Shop\\\\": "src/" } } }',
      'src/Order.php':
        "<?php\nnamespace Shop;\n\nuse Shop\\Db\\{Query, Gone};\nuse Psr\\Log\\LoggerInterface;\nuse DateTime;\nrequire_once __DIR__ . '/more.php';\nclass Order { function f() { return new \\Shop\\Db\\Query(); } }\n",
      'src/Db/Query.php': '<?php\nnamespace Shop\\Db;\nclass Query {}\n',
      'src/more.php': '<?php\n',
    })
    expect(edges).toEqual([
      'src/Order.php:4 import src/Db/Query.php',
      'src/Order.php:5 import Psr\\Log (package)',
      'src/Order.php:6 import DateTime (builtin)',
      'src/Order.php:7 require src/more.php',
      'src/Order.php:8 import src/Db/Query.php',
    ])
    expect(unresolved).toEqual(['src/Order.php:4 Shop\\Db\\Gone missing'])
  })
})

describe('imports of Ruby', () => {
  it('are required files, by the load path', async () => {
    const { edges, unresolved } = await imports({
      'lib/shop.rb':
        "require 'json'\nrequire 'rails'\nrequire 'shop/order'\nrequire_relative 'shop/money'\nautoload :Page, 'shop/page'\nrequire_relative 'gone'\nrequire \"shop/#{name}\"\n",
      'lib/shop/order.rb': '',
      'lib/shop/money.rb': '',
      'lib/shop/page.rb': '',
    })
    expect(edges).toEqual([
      'lib/shop.rb:1 require json (builtin)',
      'lib/shop.rb:2 require rails (package)',
      'lib/shop.rb:3 require lib/shop/order.rb',
      'lib/shop.rb:4 require lib/shop/money.rb',
      'lib/shop.rb:5 dynamic lib/shop/page.rb',
    ])
    expect(unresolved).toEqual(['lib/shop.rb:6 gone missing', 'lib/shop.rb:7 shop/#{name} computed'])
  })
})

describe('imports that cannot be known', () => {
  it('are those of a script that is nested too deeply, which is listed as unread', async () => {
    const deep = `const b = require('./b')\nconst x = ${'('.repeat(20_000)}1${')'.repeat(20_000)}\n`
    const { unread } = await imports({ 'a.js': deep, 'b.js': '' })
    expect(unread.map(({ path }) => path)).toEqual(['a.js'])
  })

  it.each([
    ['package.json of a directory', 'lib/package.json', './lib', {}],
    ['package.json of a package', 'node_modules/lib/package.json', 'lib', {}],
    ['tsconfig.json', 'tsconfig.json', './b', {}],
    ['file that tsconfig.json extends', 'base.json', './b', { 'tsconfig.json': '{ "extends": "./base.json" }' }],
  ])('are those by way of a device in the place of a %s', async (_, link, specifier, more) => {
    const files = { 'a.ts': `import '${specifier}'\n`, 'b.ts': '', ...more }
    const root = folder(files)
    mkdirSync(join(root, link, '..'), { recursive: true })
    symlinkSync('/dev/null', join(root, link))
    const { edges, notices } = await imports(files, root)
    expect(edges).toEqual([])
    expect(notices).toEqual([`${link} is not a regular file, so what it says of imports is not known.`])
  })
})

it('an import of Python that leads nowhere is named by what it would import', async () => {
  const { unresolved } = await imports({ 'a/b.py': 'from . import gone\nfrom .. import other\nfrom .c import d\n' })
  expect(unresolved).toEqual(['a/b.py:1 .gone missing', 'a/b.py:2 ..other missing', 'a/b.py:3 .c missing'])
})
