import { describe, expect, test } from 'vitest'
import {
  detectLanguage,
  detectLanguageOfText,
  isTestPath,
  LANGUAGES,
} from '../../../engine/base/languages/languages.ts'
import { AST_LANGUAGES } from '../../../engine/detect/syntax/grammar.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import fc from '../../made/property.ts'

describe('the table of languages', () => {
  test('knows at least a hundred and fifty', () => {
    expect(LANGUAGES.size).toBeGreaterThanOrEqual(150)
  })

  test('has every language that has a grammar', () => {
    for (const name of AST_LANGUAGES) expect(LANGUAGES.has(name), name).toBe(true)
  })

  test('names in lower case, without blanks', () => {
    for (const name of LANGUAGES.keys()) expect(name).toMatch(/^[a-z][a-z0-9]*$/)
  })

  test.each(['extensions', 'files', 'stems', 'interpreters'] as const)('gives none of its %s to two languages', key => {
    const owners = new Map<string, string>()
    for (const language of LANGUAGES.values()) {
      for (const value of language[key] ?? []) {
        expect(owners.get(value), `${value} of ${language.name}`).toBeUndefined()
        owners.set(value, language.name)
      }
    }
  })

  test('writes extensions in lower case and without a dot, so that they can be looked up', () => {
    for (const { extensions = [] } of LANGUAGES.values()) {
      for (const extension of extensions) expect(extension).toMatch(/^[^.A-Z/][^A-Z/]*$/)
    }
  })

  test('gives every language at least one way to be recognised', () => {
    for (const { name, extensions = [], files = [] } of LANGUAGES.values()) {
      expect(extensions.length + files.length, name).toBeGreaterThan(0)
    }
  })
})

describe('the language of a path', () => {
  test.each([
    ['src/a.py', 'python'],
    ['A.PY', 'python'],
    ['web/app.jsx', 'javascript'],
    ['web/app.tsx', 'tsx'],
    ['types/index.d.ts', 'typescript'],
    ['include/a.h', 'c'],
    ['include/a.inc', null],
    ['a.hpp', 'cpp'],
    ['a.m', 'objectivec'],
    ['a.pl', 'perl'],
    ['a.cls', 'apex'],
    ['views/a.blade.php', 'blade'],
    ['views/a.html.erb', 'erb'],
    ['Dockerfile', 'dockerfile'],
    ['docker/Dockerfile.dev', 'dockerfile'],
    ['api.Dockerfile', 'dockerfile'],
    ['Makefile', 'makefile'],
    ['Makefile.am', 'makefile'],
    ['Makefile.PL', 'perl'],
    ['CMakeLists.txt', 'cmake'],
    ['Jenkinsfile', 'groovy'],
    ['BUILD.bazel', 'bazel'],
    ['BUILD', 'bazel'],
    ['go.mod', 'gomod'],
    ['.env', 'dotenv'],
    ['.env.production', 'dotenv'],
    ['.env.js', 'javascript'],
    ['.bashrc', 'bash'],
    ['.gitignore', 'ignore'],
    ['config.yml.example', 'yaml'],
    ['.env.example', 'dotenv'],
    ['main.tf', 'hcl'],
    ['Cargo.lock', 'toml'],
    ['build', null],
    ['a.unknown', null],
    ['LICENSE', 'text'],
    ['dir.py/file', null],
    ['', null],
    ['.', null],
    ['a.', null],
  ])('%s is %s', (path, language) => {
    expect(detectLanguage(path)).toBe(language)
  })

  test('is a known language or none, whatever the path', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom('.', '/', 'in', 'py', 'd', 'ts', 'env', 'é')).map(a => a.join('')),
        ),
        path => {
          const found = detectLanguage(path)
          expect(found === null || LANGUAGES.has(found)).toBe(true)
        },
      ),
    )
  })

  test('is found for 300,000 paths in the time that each takes, which does not grow with them', () => {
    const endings = ['c', 'h', 'py', 'go', 'java', 'txt', 'S', 'dts', 'unknown', 'd.ts']
    const paths = Array.from({ length: 300_000 }, (_, i) => `drivers/net/part/file${i}.${endings[i % 10]}`)
    const find = (count: number) => {
      for (const path of paths.slice(0, count)) {
        detectLanguage(path)
        isTestPath(path)
      }
    }
    expect(growth(find, 75_000)).toBeLessThan(SQUARE)
  })
})

describe('the language of a first line', () => {
  test.each([
    ['#!/bin/sh', 'bash'],
    ['#!/usr/bin/env python3', 'python'],
    ['#!/usr/bin/env -S python3 -u', 'python'],
    ['#!/usr/local/bin/python3.11', 'python'],
    ['#! /usr/bin/env -u HOME LANG=C node --flag', 'javascript'],
    ['#!/usr/bin/perl5.30 -w', 'perl'],
    ['#!/usr/bin/m4', 'm4'],
    ['\ufeff#!/bin/bash', 'bash'],
    ['# -*- mode: ruby; tab-width: 2 -*-', 'ruby'],
    ['# -*- python -*-', 'python'],
    ['# vim: set ft=sh:', 'bash'],
    ['<?php echo 1;', 'php'],
    ['<?xml version="1.0"?>', 'xml'],
    ['<!DOCTYPE html>', 'html'],
    ['# -*- coding: utf-8 -*-', null],
    ['#!/usr/bin/env', null],
    ['#!', null],
    ['#!/usr/bin/nothing-known', null],
    ['', null],
  ])('%j is %s', (line, language) => {
    expect(detectLanguageOfText('bin/tool', line)).toBe(language)
  })

  test('says whether an include is PHP; else it is C', () => {
    expect(detectLanguageOfText('includes/menu.inc', '<?php')).toBe('php')
    expect(detectLanguageOfText('lib/table.inc', '/* Made from table.txt. */')).toBe('c')
    expect(detectLanguageOfText('lib/table.inc', '{ "a", 1 },')).toBe('c')
    for (const line of ['(*  Who wrote it.', '{$IFDEF X}', 'procedure Show(at: Integer);', 'var'])
      expect(detectLanguageOfText('lib/show.inc', line), line).toBeNull()
  })

  test('does not override what the name says', () => {
    expect(detectLanguageOfText('a.py', '#!/bin/sh')).toBe('python')
  })

  test.each([
    ['#!', ' '],
    ['', '-*- '],
    ['vim: ', 'ft '],
    ['<', ' '],
  ])('is read in no more than its length, also where it is %j and then %j without end', (start, again) => {
    const read = (length: number) => detectLanguageOfText('x', start + again.repeat(length))
    expect(growth(read, 30_000)).toBeLessThan(SQUARE)
  })
})

describe('a path', () => {
  test.each([
    'src/app/testsuite/archiver.py',
    'integration-tests/server_tester.go',
    'test_a.py',
    'pkg/test_b.c',
    'a_test.py',
    'a_test.go',
    'tests/a.js',
    'x/tests/y/a.py',
    'test/a.js',
    'Tests/AppTests/A.swift',
    'src/test/java/A.java',
    'src/androidTest/A.kt',
    'src/__tests__/a.ts',
    'a.test.ts',
    'a.spec.tsx',
    'a.test.mjs',
    'FooTest.java',
    'FooTests.cs',
    'FooTestCase.php',
    'Foo.Tests/A.cs',
    'spec/models/a.rb',
    'a_spec.rb',
    'tests/connection.phpt',
    'Generic/Tests/EchoUnitTest.1.inc',
    'conftest.py',
    'testdata/a.go',
    'AppSpec.scala',
    'gnulib-tests/quote.c',
    'unittest/private.c',
    'testprogs/fuzz/fuzz_both.c',
    'lib/krb5/aes-test.c',
    'src/test-strv.c',
  ])('%s is that of a test', path => {
    expect(isTestPath(path)).toBe(true)
  })

  test.each([
    'latest_a.py',
    'contest/a.py',
    'latest.ts',
    'atest.py',
    'attest/a.go',
    'Latest.java',
    'Greatest.kt',
    'spec/openapi.yaml',
    'src/spec.ts',
    'testing.md',
    'protest/test.txt',
    'a/testimony.py',
    'tests',
    'inspect.py',
    'a.specs.ts',
    'fastest_path.c',
    'ab-test.js',
    'latest-c.c',
    'load-test.go',
    'testcases/a.c',
    'protests/a.c',
  ])('%s is none of a test', path => {
    expect(isTestPath(path)).toBe(false)
  })
})

describe('a word of a name that says the language', () => {
  test.each([
    ['DOCKERFILE', 'dockerfile'],
    ['DockerFile', 'dockerfile'],
    ['Dockerfile-prod', 'dockerfile'],
    ['Dockerfile_x', 'dockerfile'],
    ['dockerfile-dev', 'dockerfile'],
    ['prod-Dockerfile', 'dockerfile'],
    ['prod_dockerfile', 'dockerfile'],
    ['App.DOCKERFILE', 'dockerfile'],
    ['Containerfile', 'dockerfile'],
    ['containerfile', 'dockerfile'],
    ['Containerfile.x', 'dockerfile'],
    ['Containerfile-ci', 'dockerfile'],
    ['Dockerfile.j2', 'dockerfile'],
    ['Dockerfile-prod.j2', 'dockerfile'],
    ['Dockerfile_x.tmpl', 'dockerfile'],
    ['Dockerfile.ci.arm64', 'dockerfile'],
    ['Jenkinsfile-release', 'groovy'],
    ['release_Jenkinsfile', 'groovy'],
    ['JENKINSFILE', 'groovy'],
    ['Makefile-local', 'makefile'],
    ['.env-staging', 'dotenv'],
    ['.env_local', 'dotenv'],
  ])('%s is %s', (name, language) => {
    expect(detectLanguage(`a/${name}`)).toBe(language)
  })

  test.each(['Dockerfiles', 'dockerfile-parser.go', 'Makefile.md', 'environment', '.environment', 'my-file'])(
    '%s is not one of them',
    name => {
      expect(['dockerfile', 'makefile', 'groovy', 'dotenv']).not.toContain(detectLanguage(`a/${name}`))
    },
  )
})
