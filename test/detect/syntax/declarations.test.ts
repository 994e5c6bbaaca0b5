import { describe, expect, it } from 'vitest'
import type { Declared } from '../../../engine/base/records/rule.ts'
import { Declarations } from '../../../engine/detect/syntax/declarations.ts'

function declares(kind: Declared, name: string, code: string): boolean {
  return new Declarations(code).lastBefore(kind, name, code.length) !== undefined
}

describe('a name may be declared', () => {
  it.each<[Declared, string, string]>([
    ['array', 'name', 'char name [20];'],
    ['array', 'name', 'use(name[1]);'],
    ['local_array', 'name', 'char name[20];'],
    ['local_array', 'name', 'struct a *x, name[20] = {0};'],
    ['local_array', 'name', 'std::array<int> name[2];'],
    ['pointer', 'p', 'int f(const char *const restrict p, int n)'],
    ['pointer', 'p', 'char **p = 0;'],
    ['pointer', 'p', 'void f(char p[], int n)'],
    ['length', 'N', 'int a[N];'],
    ['length', 'sizes[0] + 1', 'int a[ sizes[0] + 1 ] = {0};'],
  ])('%s: %s in %s', (kind, name, code) => expect(declares(kind, name, code)).toBe(true))

  it.each<[Declared, string, string]>([
    ['array', 'name', 'char *name;'],
    ['local_array', 'name', 'return name[1];'],
    ['local_array', 'name', 'static const char name[20];'],
    ['local_array', 'name', 'use(name[1]);'],
    ['local_array', 'name', 'x.name[1] = 2;'],
    ['pointer', 'p', 'int p;'],
    ['length', 'N', 'return a[N] + 1;'],
  ])('not as %s: %s in %s', (kind, name, code) => expect(declares(kind, name, code)).toBe(false))
})

it('the last place before an offset is told', () => {
  const code = 'char a[1]; char a[2]; char a[3];'
  expect(new Declarations(code).lastBefore('array', 'a', 20)).toBe(16)
  expect(new Declarations(code).lastBefore('array', 'a', 5)).toBeUndefined()
})
