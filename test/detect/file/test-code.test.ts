import { describe, expect, test } from 'vitest'
import { detectLanguage, isTestPath } from '../../../engine/base/languages/languages.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { isTestCode } from '../../../engine/detect/file/test-code.ts'
import { findGaps } from '../../../engine/sources/packs/gap.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'
import { wordRule } from '../../made/rules.ts'
import { packWith, wordRuleData } from '../../sources/packs/pack-samples.ts'

const limits = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

const judged = (path: string, text: string) =>
  isTestCode({ path, in_test: isTestPath(path), language: detectLanguage(path) ?? 'text' }, text)

/** How often a rule about the word `harm` speaks in a file. */
async function said(path: string, text: string, more: string): Promise<number> {
  const [[name, source]] = Object.entries(wordRule('harm', more)) as [[string, string]]
  const rules = new RuleSet([await parseRule(new TextEncoder().encode(source), name, 'test')])
  const file = {
    path,
    language: detectLanguage(path)!,
    in_test: isTestPath(path),
    bytes: new TextEncoder().encode(text),
  }
  const scan = scanFile(rules, file, limits)
  return scan.matches.length
}

describe('the code of a test', () => {
  test.each([
    ['src/test/java/HashTest.java', 'import org.junit.Test;\nclass HashTest {}'],
    ['src/test/org/a/TestHash.java', 'package org.a;\npublic class TestHash extends TestDb {}'],
    ['core/src/test/java/org/a/test/resource/Resource.java', 'package org.a.test.resource;\npublic class Resource {}'],
    ['tests/test_hash.py', 'import os\nimport pytest\n'],
    ['test/router.js', "describe('router', function () {})"],
    ['spec/user_spec.rb', 'RSpec.describe User do\nend'],
    ['tests/UserTest.php', '<?php class UserTest extends TestCase {}'],
    ['tests/UserTest.php', '<?php class UserTest extends \\PHPUnit_Framework_TestCase {}'],
    ['hash_test.go', 'package hash\nimport "testing"\n'],
    ['test/Vault.t.sol', 'import "forge-std/Test.sol";\ncontract VaultTest is Test {}'],
    ['tests/hash.rs', '#[test]\nfn hash() {}'],
    ['test/hash.c', '#include <assert.h>\nint main(void) { assert(1); }'],
    ['tests/hash.c', '#include "../tests/testlib.h"\nvoid f(void) { check(1); }'],
    ['gnulib-tests/test-quotearg-simple.c', 'int main (void) { return 0; }'],
    ['tests/dict_tests.c', 'char *all_dicts() { return NULL; }'],
    ['test/suites/api/dumped.c', 'static void test_dump(void) { go(); }'],
    ['programs/fuzz/fuzz_client.c', 'int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) { return 0; }'],
    ['app/test/test_auth.py', 'from app.test import helper\n'],
    ['test/units/run.sh', 'chmod 777 /tmp/d'],
    ['tests/conformance/testdata/Dockerfile', 'FROM alpine'],
    ['src/test/resources/driver.yaml', 'kind: Pod'],
    ['test/e2e/manifests/driver.yaml', 'kind: Pod'],
    ['src/test/parser/input/grants.sql', 'GRANT ALL ON a TO PUBLIC;'],
  ])('is told by path and framework: %s', (path, text) => expect(judged(path, text)).toBe(true))

  test.each([
    ['an application in a folder called test', 'test/shop/app.js', "const express = require('express')"],
    ['a servlet in a folder called test', 'test/shop/CookieServlet.java', 'class CookieServlet extends HttpServlet {}'],
    ['the image of an application in a folder called test', 'test/shop/Dockerfile', 'FROM alpine'],
    ['an environment that is called test', 'overlays/test/deployment.yaml', 'kind: Deployment'],
    ['an environment with folders in it', 'environments/test/resources/deployment.yaml', 'kind: Deployment'],
    ['an application with assertions', 'test/shop/app.js', "const assert = require('assert')\nassert(db)"],
    [
      'a servlet where Maven builds tests',
      'src/test/java/shop/CookieServlet.java',
      'class CookieServlet extends HttpServlet {}',
    ],
    [
      'a part of a program of C that asserts',
      'test/shop/parse.c',
      '#include <assert.h>\nvoid f(char *p) { assert(p); }',
    ],
    ['a program of C in a folder called tests', 'tests/shop/bandwidth-client.c', 'int main(void) { return 0; }'],
    [
      'a case of a labelled collection',
      'tests/testcases/CWE121_s01/CWE121_copy_01.c',
      '#include "std_testcase.h"\nvoid CWE121_copy_01_bad() { }',
    ],
    [
      'a program of C by the name of a header',
      'test/shop/main.c',
      '#include "std_testcase.h"\nint main(void) { return 0; }',
    ],
    ['a program below a benchmark', 'tests/benchmarks/shop/main.c', 'int main(void) { return 0; }'],
    ['a program that names a framework', 'src/runner.py', 'import pytest\n'],
    ['a script in a folder of scripts', 'scripts/run.sh', 'chmod 777 /tmp/d'],
    ['a language of which nothing is known', 'test/a.sql', 'SELECT 1'],
  ])('is not %s', (_, path, text) => expect(judged(path, text)).toBe(false))
})

describe('a rule that is silent in tests', () => {
  const suite = 'import pytest\nx = "harm"\n'

  test('says nothing in the code of one', async () =>
    expect(await said('tests/test_a.py', suite, 'silent_in: tests')).toBe(0))

  test('speaks where only the path is that of a test', async () =>
    expect(await said('tests/test_a.py', 'x = "harm"\n', 'silent_in: tests')).toBe(1))

  test('speaks in the program', async () => expect(await said('src/a.py', suite, 'silent_in: tests')).toBe(1))

  test('is an exception: others speak in tests', async () => expect(await said('tests/test_a.py', suite, '')).toBe(1))

  test('is a looser rule than before', () => {
    const before = packWith([wordRuleData('alpha')])
    const after = packWith([wordRuleData('alpha', { silent_in: 'tests' })])
    expect(findGaps(before, after)).toMatchObject([{ gap: 'relaxed', reasons: ['it is silent in the code of tests'] }])
  })
})
