import { expect, it } from 'vitest'
import { findTaggedSymbol, listSymbols } from '../../../engine/delivery/trace/symbols.ts'
import { findTags } from '../../../engine/delivery/trace/tags.ts'

const find = (language: string, text: string) => {
  const symbols = listSymbols(language, text)
  return findTags(language, text).map(tag => findTaggedSymbol(tag, symbols, text.split('\n'))?.name)
}

it.each([
  ['the declaration below its comment', 'typescript', '/** @req R-1 */\nexport function load() {}\n', 'load'],
  ['the declaration below annotations', 'java', '  // @req R-1\n  @Override\n  public int size() {\n', 'size'],
  ['the declaration on its line', 'python', 'def load(): # @req R-1\n    pass\n', 'load'],
  [
    'the declaration around it',
    'python',
    'def load():\n    x()\n    # @req R-1\n    y()\n\ndef save():\n    pass\n',
    'load',
  ],
  ['the function of C below it', 'c', '/* @req R-1 */\nstatic int load(const char *path)\n{\n', 'load'],
  [
    'the file, from its header',
    'typescript',
    '// @req R-1\n\nimport x from "x"\n\nexport function load() {}\n',
    undefined,
  ],
  ['the file, where it says so', 'python', 'def load():\n    """@relation(R-1, scope=file)"""\n', undefined],
])('a tag is about %s', (_, language, text, name) => {
  expect(find(language, text)).toEqual([name])
})
