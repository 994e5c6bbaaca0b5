import { describe, expect, test } from 'vitest'
import { FRAMEWORKS } from '../../engine/base/technologies/frameworks.ts'
import { DOCSTRING_STYLES, IMPORT_LINES, TEST_STYLES } from '../../engine/quality/profile/convention-marks.ts'
import { measureConventions } from '../../engine/quality/profile/conventions.ts'
import { DECLARATION_FORMS } from '../../engine/quality/profile/declaration-forms.ts'
import { findNameStyle, listDeclarations } from '../../engine/quality/profile/declarations.ts'
import { findManifest, listFrameworks, listPatterns, listTools } from '../../engine/quality/profile/detect.ts'
import { BUILD_TOOLS, MANIFESTS, PACKAGE_MANAGERS, PATTERNS } from '../../engine/quality/profile/file-marks.ts'

describe('the tables', () => {
  test.each(FRAMEWORKS)('$name is shown by its line in a manifest', ({ name, ecosystem, example }) => {
    const manifest = MANIFESTS.find(each => each.ecosystem === ecosystem)!
    expect(listFrameworks('m', `x\n${example}\n`, manifest)).toMatchObject([{ name, source: { file: 'm', line: 2 } }])
  })

  test.each([...BUILD_TOOLS, ...PACKAGE_MANAGERS])('$name is shown by $example', ({ name, example, ...mark }) => {
    const found = listTools(['a/x.md', `deep/er/${example}`, `a/${example}`], [{ name, example, ...mark }])
    expect(found).toEqual([{ name, source: { file: `a/${example}` } }])
  })

  test.each(PATTERNS)('$name is shown by its directories', ({ name, example }) => {
    expect(listPatterns(example).map(each => each.name)).toContain(name)
    expect(listPatterns(example.slice(0, 1))).toEqual([])
  })

  test.each([...DOCSTRING_STYLES, ...TEST_STYLES, ...IMPORT_LINES])(
    '$name matches its example: $example',
    ({ pattern, example }) => {
      expect(pattern.test(example)).toBe(true)
    },
  )

  test.each(DECLARATION_FORMS.flatMap(form => form.examples.map(([text, declared]) => ({ form, text, declared }))))(
    '$text declares $declared',
    ({ form, text, declared }) => {
      const found = listDeclarations(text, form).map(({ name, documented }) =>
        documented ? `${name} documented` : name,
      )
      expect(found).toEqual([declared])
    },
  )
})

test('a package name inside another is not taken for it', () => {
  const manifest = findManifest('package.json')!
  expect(
    listFrameworks(
      'package.json',
      '{"dependencies": {"react-dom": "1", "preact": "1", "eslint-plugin-vue": "9"}}',
      manifest,
    ),
  ).toEqual([])
})

test('names have a style unless one word fits them all', () => {
  const names = ['load_all', 'loadAll', 'LoadAll', 'MAX_SIZE', 'load', 'x', '_private_name', 'get_HTML', 'X']
  expect(names.map(findNameStyle)).toEqual([
    'snake_case',
    'camelCase',
    'PascalCase',
    'UPPER_CASE',
    undefined,
    undefined,
    'snake_case',
    'other',
    undefined,
  ])
})

test('conventions are counted by language', () => {
  const [python] = measureConventions([
    {
      path: 'src/load_all.py',
      language: 'python',
      in_test: false,
      text: 'import os\nimport sys\n\n\ndef load_all(path: str) -> str:\n    """Read.\n\n    Args:\n        path: a path\n    """\n    return path\n\n\ndef loadMore(a):\n    return a\n',
    },
    {
      path: 'tests/test_load.py',
      language: 'python',
      in_test: true,
      text: 'import pytest\nimport a\n\ndef test_load():\n    pass\n',
    },
  ])
  expect(python).toMatchObject({
    files: 2,
    functions: 3,
    public_declarations: 2,
    documented: 1,
    typeable: 3,
    typed: 1,
    naming: { functions: { snake_case: 2, camelCase: 1 } },
    names: 3,
    deviating_names: 1,
    deviations: [{ name: 'loadMore', file: 'src/load_all.py', line: 14 }],
    docstring_styles: { Google: 1 },
    test_styles: { pytest: 1 },
    indentation: { 4: 2 },
    import_files: 2,
    sorted_imports: 1,
    file_names: { snake_case: 2 },
  })
})

test('long lines and many brackets are read in linear time', () => {
  const text = `${'('.repeat(20_000)}\n${'def f('.repeat(5000)}\n${' '.repeat(50_000)}x\n`
  for (const form of DECLARATION_FORMS) expect(listDeclarations(text, form).length).toBeLessThan(3)
})
