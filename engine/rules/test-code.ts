import type { FileInput } from './file-outcome.ts'

/** What the tests of a language name, and its programs do not. */
const OF_JVM =
  /\borg\.(?:junit|testng|scalatest|mockito|assertj|hamcrest|spockframework|specs2)\b|\bjunit\.framework\b|\bkotlin\.test\b/
const OF_SCRIPT =
  /\b(?:describe|it|test|suite)\s*(?:\.\w+\s*)?\(\s*['"`]|(?:require\(\s*|from\s+)['"](?:node:test|(?:chai|mocha|tap|tape|ava|vitest|supertest|should|@jest\/globals|@playwright\/test|@testing-library\/[\w-]+)(?:\/\w+)?)['"]/
const OF_C =
  /#\s*include\s*[<"][^<>"\n]*(?:gtest|gmock|catch|doctest|cmocka|check\.h|unity|tap\.h|CUnit|boost\/test|clar|test\w*\.h)|\b(?:TEST(?:_[FP])?|START_TEST|G_TEST_\w+|assert)\s*\(|\bg_assert|^\s*#\s*import\s*<XCTest/m
const OF_DOTNET = /\busing\s+(?:NUnit|Xunit|Microsoft\.VisualStudio\.TestTools)\b/

const FRAMEWORKS: Readonly<Record<string, RegExp>> = {
  java: OF_JVM,
  kotlin: OF_JVM,
  scala: OF_JVM,
  groovy: OF_JVM,
  javascript: OF_SCRIPT,
  typescript: OF_SCRIPT,
  tsx: OF_SCRIPT,
  jsx: OF_SCRIPT,
  vue: OF_SCRIPT,
  svelte: OF_SCRIPT,
  c: OF_C,
  cpp: OF_C,
  objectivec: OF_C,
  csharp: OF_DOTNET,
  python:
    /^\s*(?:import|from)\s+(?:unittest|pytest|nose|mock|testtools|twisted\.trial|[\w.]+\.(?:test|tests|testing))\b/m,
  ruby: /\bminitest\b|\brspec\b|\bRSpec\b|test\/unit|Test::Unit|(?:Active\w+|ActionDispatch|ActionController)::(?:Integration)?Test\w*|^\s*describe\s/m,
  php: /\bPHPUnit\\|\bextends\s+\w*TestCase\b/,
  go: /"testing"/,
  rust: /#\[(?:\w+::)*test\]|#\[cfg\(test\)\]/,
  swift: /^\s*import\s+(?:XCTest|Testing)\b/m,
}

/** Where Maven, Gradle and sbt look for what they build for tests alone, and benchmarks among tests. */
const BUILT_FOR_TESTS =
  /(?:^|\/)(?:src\/(?:test|androidTest|integrationTest)\/(?:java|kotlin|scala|groovy)\/|tests?\/(?:[\w-]+\/)*bench(?:marks?\/|_\w+\.\w+$))/

/**
 * Whether a file is a test for certain: its path says so, and its text names what tests are written with. In shell, which has no such
 * thing, and where a tool of builds expects tests alone the path is enough; in other languages it never is, so that an application that lies in a folder called `test` is judged like any.
 */
export function isTestCode(
  { in_test, language, path }: Pick<FileInput, 'in_test' | 'language' | 'path'>,
  text: string,
): boolean {
  if (!in_test) return false
  return language === 'bash' || BUILT_FOR_TESTS.test(path) || (FRAMEWORKS[language]?.test(text) ?? false)
}
