import type { FileInput } from '../rules/file-outcome.ts'

/**
 * What the tests of a language name, and its programs do not. Of the JVM's also what is called a test and comes of one: a project's own
 * class for tests names the framework in their place.
 */
const OF_JVM =
  /\bclass\s+(?:Test\w+|\w+Tests?)\s+(?:extends|:)\s*\w*Test\w*|\borg\.(?:junit|testng|scalatest|mockito|assertj|hamcrest|spockframework|specs2)\b|\bjunit\.framework\b|\bkotlin\.test\b/
/** What the tests of a build by Maven or Gradle are made of stands beside them, and names no framework. */
const BESIDE_TESTS =
  /(?:^|\/)src\/(?:test|it|integration-?test|androidTest)\/(?:java|kotlin|scala|groovy)\/(?:[^/]+\/)*(?:tests?|testing|testsuite|testdata|it|unit|integration)\//
/** A case for PHP's own runner, or for that of a checker of code. */
const PHP_CASE = /\.phpt$|UnitTest(?:\.\d+)?\.inc$/
const OF_SCRIPT =
  /\b(?:describe|it|test|suite)\s*(?:\.\w+\s*)?\(\s*['"`]|(?:require\(\s*|from\s+)['"](?:node:test|(?:chai|mocha|tap|tape|ava|vitest|supertest|should|@jest\/globals|@playwright\/test|@testing-library\/[\w-]+)(?:\/\w+)?)['"]/
const OF_C =
  /#\s*include\s*[<"](?:[^<>"\n]*\/)?(?:test\w*\.h|(?:gtest|gmock|catch|doctest|cmocka|check\.h|unity|tap\.h|CUnit|clar))|#\s*include\s*<boost\/test|\b(?:TEST(?:_[FP])?|START_TEST|G_TEST_\w+)\s*\(|\bg_assert|\bLLVMFuzzerTestOneInput\b|^\s*#\s*import\s*<XCTest/m
/** Most tests of C name no framework: a file that is called a test, or has functions that are. */
const NAMED_IN_C = /(?:^|[-_/])(?:tests?|fuzz)(?:[-_]\w[\w-]*)?\.\w+$/i
const FUNCTIONS_IN_C = /^(?:static\s+)?(?:int|void|bool|char\s*\*|DEFINE_TEST)\s*\(?(?:test_?\w*|\w+_test)\s*[()]/m
/** A program of its own that only asserts, which is how many libraries of C test themselves. */
const ASSERTS = /\bassert\s*\(/
const BEGINS = /^(?:int|void)?\s*main\s*\(/m
/**
 * Images, manifests and statements have nothing like it. A folder of tests says enough of them, but for one that is called `test`
 * alone, which may as well be an environment that is rolled out: there a second folder has to say so.
 */
const BUILT_FOR_TESTS =
  /(?:^|\/)(?:[\w.-]+[-_])?(?:tests|testdata|testsuite)\/|(?:^|\/)(?:integration|functional|unit)[-_]?[tT]ests?\/|(?<!(?:env(?:ironment)?s?|overlays?|deploy\w*|stages?|clusters?|k8s|kustomize|helm|charts?|infra\w*)\/)(?<=^|\/)test\/(?:[^/]+\/)*(?:build|cases?|compose|conformance|data|e2e|fixtures?|functional|images|inputs?|integration|resources|testing[-\w]*|unit)\//
const WITHOUT_FRAMEWORKS: ReadonlySet<string> = new Set(['dockerfile', 'sql', 'yaml'])
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
  php: /\bPHPUnit[\\_]|\bextends\s+[\w\\]*TestCase\b/,
  go: /"testing"/,
  rust: /#\[(?:\w+::)*test\]|#\[cfg\(test\)\]/,
  // Of Foundry, and of the tests that a contract is written for.
  solidity: /\bimport\b[^;]*['"][^'"]*(?:forge-std|ds-test)\/|\bcontract\s+\w+\s+is\s+(?:DS)?Test\b/,
  swift: /^\s*import\s+(?:XCTest|Testing)\b/m,
}

/**
 * Whether a file is a test for certain: its path says so, and its text names what tests are written with. In shell, which has no such
 * thing, the path is enough; of C it is where the path names a program of tests, or the functions are those of one, for its tests are mostly
 * written with macros of their own; of an image, a manifest or a statement where the path cannot mean an environment. In other languages it never is, so that an application that lies in a folder called `test`, or in `src/test/java`, is judged like any.
 */
export function isTestCode(
  { path, in_test, language }: Pick<FileInput, 'path' | 'in_test' | 'language'>,
  text: string,
): boolean {
  if (!in_test) return false
  if (language === 'bash' || PHP_CASE.test(path) || FRAMEWORKS[language]?.test(text)) return true
  if (WITHOUT_FRAMEWORKS.has(language)) return BUILT_FOR_TESTS.test(path)
  if (FRAMEWORKS[language] === OF_JVM) return BESIDE_TESTS.test(path)
  if (FRAMEWORKS[language] !== OF_C) return false
  return (ASSERTS.test(text) && BEGINS.test(text)) || NAMED_IN_C.test(path) || FUNCTIONS_IN_C.test(text)
}
