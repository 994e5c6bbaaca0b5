import { describe, expect, it } from 'vitest'
import { readImports as imports } from './read-imports.ts'

describe('imports of a hostile file', () => {
  const repeat = (part: string, bytes = 200_000) => part.repeat(Math.ceil(bytes / part.length))
  const spaces = ' '.repeat(100_000)
  const numbered = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => line(n)).join('\n')

  it.each<[what: string, file: string, text: string]>([
    ['using without an end', 'a.cs', repeat('using a<\n')],
    ['many namespaces', 'a.cs', numbered(8000, n => `namespace A${n} { class C${n} {} }`)],
    ['a namespace of many parts', 'a.cs', `namespace a${'.a'.repeat(100_000)} { class C {} }`],
    ['an import list without an end', 'a.go', repeat('import(\n')],
    ['use without an end', 'a.php', `<?php\n${repeat('use a\n')}`],
    ['use of a group without an end', 'a.php', `<?php\n${repeat('use a{\n')}`],
    ['a selector without an end', 'a.scala', repeat('import a.{\n')],
    ['an import of many parts', 'a.java', `import a${'.a'.repeat(100_000)};`],
    ['use without an end', 'a.rs', repeat('use a ')],
    ['visibility without an end', 'a.rs', repeat('pub(\n')],
    ['a use tree that is deep', 'a.rs', `use ${'a::{'.repeat(50_000)}${'b},'.repeat(50_000)};`],
    ['a use tree with spaces', 'a.rs', `use a::b${spaces};`],
    ['a path attribute with spaces', 'a.rs', `#[path = "x"]${spaces}`],
    ['a relative import of dots', 'a.py', `from ${'.'.repeat(100_000)}\n`],
    ['an import with spaces', 'a.py', `from${spaces}x${spaces}\n`],
    ['many imports for types', 'a.py', numbered(8000, n => `if TYPE_CHECKING:\n  import a${n}`)],
  ])(
    '%s in %s takes time that is linear in the text',
    async (_, file, text) => {
      const start = process.cpuUsage()
      await imports({ [file]: text })
      const { user } = process.cpuUsage(start)
      expect(user / 1000).toBeLessThan(3000)
    },
    20_000,
  )

  it('types in many files, each in every namespace, take time that is linear in the text', async () => {
    const start = process.cpuUsage()
    const uses = numbered(400, n => `using N${n};`)
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [
        `f${n}.cs`,
        `${uses}\nnamespace N${n} { partial class Shared { T${n} a; ${numbered(200, m => `T${m} t${m};`)} } class T${n} {} }`,
      ]),
    )
    await imports(files)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000)
  }, 20_000)

  it('many roots of Python are searched by the name of the module', async () => {
    const start = process.cpuUsage()
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [`p${n}/setup.py`, numbered(40, m => `import nothing_${n}_${m}`)]),
    )
    await imports(files)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000)
  }, 60_000)
})
