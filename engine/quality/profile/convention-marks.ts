/** What shows a documentation style or a test framework in a text. A test holds each example. */
export interface Mark {
  name: string
  languages: readonly string[]
  pattern: RegExp
  example: string
}

const SCRIPT = ['javascript', 'typescript', 'tsx', 'jsx', 'vue', 'svelte']

export const DOCSTRING_STYLES: readonly Mark[] = [
  { name: 'Google', languages: ['python'], pattern: /^[ \t]*(?:Args|Returns|Raises|Yields):$/m, example: 'Args:' },
  {
    name: 'NumPy',
    languages: ['python'],
    pattern: /^[ \t]*(?:Parameters|Returns)\n[ \t]*-{3,}$/m,
    example: 'Parameters\n----------',
  },
  {
    name: 'Sphinx',
    languages: ['python'],
    pattern: /^[ \t]*:(?:param|returns?|raises)\b/m,
    example: ':param path: a path',
  },
  { name: 'JSDoc', languages: SCRIPT, pattern: /^[ \t]*\/\*\*/m, example: '/** Adds. */' },
  { name: 'Javadoc', languages: ['java', 'groovy'], pattern: /^[ \t]*\/\*\*/m, example: '/** Adds. */' },
  { name: 'KDoc', languages: ['kotlin'], pattern: /^[ \t]*\/\*\*/m, example: '/** Adds. */' },
  { name: 'Scaladoc', languages: ['scala'], pattern: /^[ \t]*\/\*\*/m, example: '/** Adds. */' },
  { name: 'PHPDoc', languages: ['php'], pattern: /^[ \t]*\/\*\*/m, example: '/** Adds. */' },
  {
    name: 'XML comments',
    languages: ['csharp'],
    pattern: /^[ \t]*\/\/\/ ?</m,
    example: '/// <summary>Adds.</summary>',
  },
  {
    name: 'Go doc comments',
    languages: ['go'],
    pattern: /^\/\/ [^\n]*\n(?:func|type) /m,
    example: '// Add adds.\nfunc Add() {',
  },
  { name: 'rustdoc', languages: ['rust'], pattern: /^[ \t]*\/\/\//m, example: '/// Adds.' },
  { name: 'YARD', languages: ['ruby'], pattern: /^[ \t]*# @(?:param|return)\b/m, example: '# @param a [Integer]' },
  { name: 'Doxygen', languages: ['c', 'cpp'], pattern: /^[ \t]*(?:\/\*[*!]|\/\/[/!])/m, example: '/** Adds. */' },
]

export const TEST_STYLES: readonly Mark[] = [
  {
    name: 'pytest',
    languages: ['python'],
    pattern: /^(?:import|from) pytest\b|^(?:async )?def test_\w+/m,
    example: 'def test_add():',
  },
  { name: 'unittest', languages: ['python'], pattern: /^(?:import|from) unittest\b/m, example: 'import unittest' },
  { name: 'Vitest', languages: SCRIPT, pattern: /from ['"]vitest['"]/, example: "import { test } from 'vitest'" },
  { name: 'Jest', languages: SCRIPT, pattern: /\bjest\.\w|from ['"]@jest\/globals['"]/, example: 'jest.fn()' },
  { name: 'node:test', languages: SCRIPT, pattern: /['"]node:test['"]/, example: "import test from 'node:test'" },
  { name: 'Mocha', languages: SCRIPT, pattern: /['"](?:mocha|chai)['"]/, example: "import { expect } from 'chai'" },
  {
    name: 'Playwright',
    languages: SCRIPT,
    pattern: /['"]@playwright\/test['"]/,
    example: "import { test } from '@playwright/test'",
  },
  {
    name: 'JUnit 5',
    languages: ['java', 'kotlin', 'groovy'],
    pattern: /\borg\.junit\.jupiter\b/,
    example: 'import org.junit.jupiter.api.Test;',
  },
  {
    name: 'JUnit 4',
    languages: ['java', 'kotlin', 'groovy'],
    pattern: /\borg\.junit\.(?!jupiter)\w/,
    example: 'import org.junit.Test;',
  },
  { name: 'TestNG', languages: ['java'], pattern: /\borg\.testng\b/, example: 'import org.testng.annotations.Test;' },
  { name: 'Go testing', languages: ['go'], pattern: /"testing"/, example: 'import "testing"' },
  { name: 'Rust tests', languages: ['rust'], pattern: /#\[(?:\w+::)?test\]/, example: '#[test]' },
  { name: 'RSpec', languages: ['ruby'], pattern: /\bRSpec\b|^\s*describe\s/m, example: 'RSpec.describe Store do' },
  { name: 'Minitest', languages: ['ruby'], pattern: /\b[Mm]initest\b/, example: "require 'minitest/autorun'" },
  { name: 'PHPUnit', languages: ['php'], pattern: /\bPHPUnit\b/, example: 'use PHPUnit\\Framework\\TestCase;' },
  { name: 'xUnit.net', languages: ['csharp'], pattern: /\busing Xunit\b/, example: 'using Xunit;' },
  { name: 'NUnit', languages: ['csharp'], pattern: /\busing NUnit\b/, example: 'using NUnit.Framework;' },
  { name: 'GoogleTest', languages: ['cpp', 'c'], pattern: /[<"]gtest\//, example: '#include <gtest/gtest.h>' },
  {
    name: 'Catch2',
    languages: ['cpp'],
    pattern: /[<"]catch2?[/.]/,
    example: '#include <catch2/catch_test_macros.hpp>',
  },
  {
    name: 'XCTest',
    languages: ['swift', 'objectivec'],
    pattern: /^\s*(?:@testable )?import XCTest\b/m,
    example: 'import XCTest',
  },
]

/** The module that a line imports, by language: for the order of imports. */
export const IMPORT_LINES: readonly Mark[] = [
  { name: 'module', languages: ['python'], pattern: /^(?:from|import) ([\w.]+)/, example: 'import os' },
  {
    name: 'module',
    languages: SCRIPT,
    pattern: /^import .{0,300}?from ['"]([^'"]+)['"]/,
    example: "import a from './a.js'",
  },
  {
    name: 'module',
    languages: ['java', 'kotlin', 'scala', 'groovy'],
    pattern: /^import (?:static )?([\w.*]+)/,
    example: 'import java.util.List;',
  },
  { name: 'module', languages: ['csharp'], pattern: /^using ([\w.]+);/, example: 'using System.Text;' },
  { name: 'module', languages: ['rust'], pattern: /^use ([\w:]+)/, example: 'use std::io;' },
  { name: 'module', languages: ['php'], pattern: /^use ([\w\\]+)/, example: 'use App\\Store;' },
  { name: 'module', languages: ['go'], pattern: /^\t(?:\w+ )?"([^"]+)"$/, example: '\t"fmt"' },
]
