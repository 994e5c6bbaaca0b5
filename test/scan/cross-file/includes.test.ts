import { expect, test } from 'vitest'
import { IncludedFunctions, readLinks } from '../../../engine/scan/cross-file/includes.ts'
import { Targets } from '../../../engine/scan/cross-file/targets.ts'

/** The functions that a file may call by their names alone, with the files that have them. */
function listFunctions(files: Record<string, string>, from: string): Record<string, string[]> {
  const language = from.endsWith('.rb') ? 'ruby' : 'php'
  const targets = new Targets(Object.keys(files))
  const included = new IncludedFunctions(
    path => readLinks(language, files[path]!),
    (path, include) => targets.findIncluded(path, include),
    () => [],
  )
  return Object.fromEntries(included.of(from))
}

test('PHP includes files beside it, below its directory, above it, below the root, and behind a constant', () => {
  const files = {
    'web/page.php': `<?php
      require 'a.php';
      require_once(__DIR__ . '/inc/b.php');
      include dirname(__DIR__) . '/lib/c.php';
      include_once dirname(__FILE__, 1) . "/no.php";
      require dirname(__DIR__, 1)."/lib/d.php";
      include BASE . '/lib/e.php';
      include 'lib/f.php';
      include "lib/$name.php";
      include $page;
      include '../../etc/passwd';
      include 'page.php';`,
    ...Object.fromEntries(
      ['web/a', 'web/inc/b', 'lib/c', 'lib/d', 'lib/e', 'lib/f', 'lib/g'].map(path => [
        `${path}.php`,
        `<?php function of_${path.at(-1)}($x) {}`,
      ]),
    ),
  }
  expect(Object.keys(listFunctions(files, 'web/page.php')).sort()).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map(name => `of_${name}`),
  )
})

test('what an included file includes counts, in a circle once, and of Ruby what is written at the margin', () => {
  const php = { 'a.php': "<?php require 'b.php';", 'b.php': "<?php require 'a.php'; function b() {}" }
  expect(listFunctions(php, 'a.php')).toEqual({ b: ['b.php'] })
  const ruby = {
    'app/a.rb': "require 'set'\nrequire_relative '../lib/b'\nrequire_relative 'c.rb'\n",
    'lib/b.rb': 'def b(x)\nend\nclass B\n  def inner\n  end\nend\n',
    'app/c.rb': 'def ok?(x) = x\ndef self.d\nend\n',
  }
  expect(listFunctions(ruby, 'app/a.rb')).toEqual({ b: ['lib/b.rb'], 'ok?': ['app/c.rb'] })
})

test('includes without end are bounded', () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`f${at}.php`, `<?php require 'f${at + 1}.php'; function f${at}() {}`]),
  )
  expect(Object.keys(listFunctions(files, 'f0.php'))).toHaveLength(5)
  const wide = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`w${at}.php`, `<?php function w${at}() {}`]))
  const all = Object.keys(wide).map(path => `require '${path}';\n`)
  expect(Object.keys(listFunctions({ ...wide, 'm.php': `<?php\n${all.join('')}` }, 'm.php'))).toHaveLength(100)
  const started = performance.now()
  readLinks('php', `<?php ${'require ('.repeat(50_000)}${"'".repeat(50_000)}`)
  expect(performance.now() - started).toBeLessThan(1000)
})
