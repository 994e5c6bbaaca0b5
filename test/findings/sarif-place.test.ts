import { describe, expect, test } from 'vitest'
import { at, load, one, result } from './sarif-log.ts'

describe('a path', () => {
  test.each([
    ['src/app.py'],
    ['./src/app.py'],
    ['src//app.py'],
    ['src\\app.py'],
    ['src/../src/app.py'],
    ['/home/me/project/src/app.py'],
    ['file:///home/me/project/src/app.py'],
    ['file://localhost/home/me/project/src/app.py'],
    ['file:/home/me/project/src/app.py'],
    ['file:///home/me/project/src/%61pp.py'],
  ])('written %s is placed in the repository', uri => {
    expect(one({ locations: [at(uri)] }).file).toBe('src/app.py')
  })

  test.each([['src/a%20b/%C3%BCn%C3%AF.js'], ['src/a b/ünï.js'], ['file:///home/me/project/src/a%20b/ün%C3%AF.js']])(
    'with spaces and other letters, written %s, is placed',
    uri => {
      expect(one({ locations: [at(uri, { startLine: 1 })] }).file).toBe('src/a b/ünï.js')
    },
  )

  test('with a percent sign of its own is placed, encoded or not', () => {
    const files = ['100%.py', 'a%20b.py']
    for (const [uri, file] of [
      ['100%.py', '100%.py'],
      ['100%25.py', '100%.py'],
      ['a%2520b.py', 'a%20b.py'],
      ['a%20b.py', 'a%20b.py'],
    ]) {
      const { findings } = load(
        [result({ locations: [at(uri!)] })],
        {},
        { has: path => files.includes(path), textOf: () => '' },
      )
      expect(findings[0]!.file).toBe(file)
    }
  })

  test('begins at its base id, also one that begins at another; an unknown base is the repository', () => {
    const bases = {
      originalUriBaseIds: { ROOT: { uri: 'file:///home/me/project/' }, SRC: { uri: 'src', uriBaseId: 'ROOT' } },
    }
    expect(one({ locations: [at('app.py', {}, { uriBaseId: 'SRC' })] }, bases).file).toBe('src/app.py')
    expect(one({ locations: [at('src/app.py', {}, { uriBaseId: '%SRCROOT%' })] }).file).toBe('src/app.py')
  })

  test('by its index in the artifacts is placed', () => {
    const artifacts = { artifacts: [{ location: { uri: 'src/app.py' } }] }
    const locations = [{ physicalLocation: { artifactLocation: { index: 0 } } }]
    expect(one({ locations }, artifacts).file).toBe('src/app.py')
  })

  test.each(['/github/workspace', 'file:///builds/group/project', 'D:\\agent\\_work\\1\\s'])(
    'of another machine, below %s, is placed by its end, and then so are files of the top folder',
    root => {
      const separator = root.includes('\\') ? '\\' : '/'
      const uri = (path: string) => `${root}/${path}`.replaceAll('/', separator === '/' ? '/' : '\\')
      const { findings, outside } = load([
        result({ locations: [at(uri('src/app.py'))] }),
        result({ locations: [at(uri('README.md'))] }),
      ])
      expect(findings.map(({ file }) => file)).toEqual(['README.md', 'src/app.py'])
      expect(outside.count).toBe(0)
    },
  )

  test.each([
    '/etc/passwd',
    '../other/app.py',
    'src/../../x.py',
    'file:///home/me/project-two/other.py',
    '/usr/README.md',
    'https://host.test/src/app.py',
    'file:///home/me/project/a%00b',
    '%2e%2e/other/app.py',
  ])('%s is not of the repository: it is counted and named, never a finding', uri => {
    const { findings, outside } = load([result({ locations: [at(uri)] })])
    expect(findings).toEqual([])
    expect(outside.count).toBe(1)
    expect(outside.names).toHaveLength(1)
  })

  test('that the configuration excludes is counted apart', () => {
    expect(load([result({ locations: [at('vendor/x.js')] })]).excluded).toEqual({ count: 1, names: ['vendor/x.js'] })
  })
})

describe('a region', () => {
  const span = (region: object, run: object = {}) => {
    const { line, column, end_line, end_column } = one({ locations: [at('src/app.py', region)] }, run)
    return [line, column, end_line, end_column]
  }
  test.each([
    [{ startLine: 2 }, [2, 1, 2, 16]],
    [{ startLine: 2, startColumn: 4 }, [2, 4, 2, 16]],
    [{ startLine: 1, endLine: 2, endColumn: 3 }, [1, 1, 2, 3]],
    [{ startLine: '2', startColumn: '4' }, [2, 4, 2, 16]],
    [{ startLine: 0 }, [1, 1, 1, 10]],
    [{ startLine: 99 }, [5, 1, 5, 1]],
    [{ startLine: 2, startColumn: 900, endColumn: 1 }, [2, 16, 2, 16]],
    [{ charOffset: 10, charLength: 9 }, [2, 1, 2, 10]],
    [{}, [1, 1, 1, 10]],
    [{ startLine: -3, endLine: -9, startColumn: null }, [1, 1, 1, 10]],
  ])('%j is %j', (region, expected) => {
    expect(span(region)).toEqual(expected)
  })

  test('counts columns in code points where the run says so', () => {
    const region = { startLine: 4, startColumn: 12, endColumn: 19 }
    expect(span(region)).toEqual([4, 12, 4, 19])
    expect(span(region, { columnKind: 'unicodeCodePoints' })).toEqual([4, 13, 4, 20])
  })
})
