import { describe, expect, test } from 'vitest'
import { keepSafeFlags, splitCommand } from '../../../engine/external/cpp/compile-flags.ts'

const kept = (command: string) => keepSafeFlags(splitCommand(command), '/w/build', 'a.c')

describe('flags of a compilation database', () => {
  test('that change what the source means are kept, with absolute paths', () => {
    expect(kept('cc -Iinclude -isystem ../sys -DDEBUG=1 -U NDEBUG -std=gnu11 -include config.h -c a.c').flags).toEqual([
      ...['-I', '/w/build/include', '-isystem', '/w/sys', '-D', 'DEBUG=1', '-U', 'NDEBUG', '-std=gnu11'],
      ...['-include', '/w/build/config.h'],
    ])
  })

  test('of optimization, warnings and output are left out without a word', () => {
    expect(kept('gcc -O2 -g -Wall -fPIC -o a.o -MD -MF a.d -c a.c')).toEqual({ flags: [], dropped: [] })
  })

  test.each([
    ['-fplugin=./evil.so', '-fplugin'],
    ['-fpass-plugin=./evil.so', '-fpass-plugin'],
    ['-Xclang -load -Xclang ./evil.so', '-Xclang'],
    ['-mllvm -load=./evil.so', '-mllvm'],
    ['--config evil.cfg', '--config'],
    ['--config=evil.cfg', '--config'],
    ['-B ./bin', '-B'],
    ['-wrapper ./evil', '-wrapper'],
    ['-specs=./evil.specs', '-specs'],
    ['@flags.rsp', '@file'],
    ['-plugin-arg-x -load', '-plugin-arg-x'],
  ])('that could have a program loaded are never passed on: %s', (flag, name) => {
    const { flags, dropped } = kept(`cc ${flag} -DA -c a.c`)
    expect(flags).toEqual(['-D', 'A'])
    expect(dropped).toContain(name)
  })

  test("of Microsoft's compiler are read as the others write them", () => {
    expect(kept('cl.exe /nologo /Iinc /DX=2 /std:c++17 /c a.c').flags).toEqual([
      ...['-I', '/w/build/inc', '-D', 'X=2', '-std=c++17'],
    ])
  })
})

test('a command line is split as a shell does, and nothing in it is expanded', () => {
  expect(splitCommand(`cc -DS='"a b"' "-I\\"x y" a\\ b $(touch x) \`y\` ''`)).toEqual([
    ...['cc', '-DS="a b"', '-I"x y', 'a b', '$(touch', 'x)', '`y`', ''],
  ])
})
