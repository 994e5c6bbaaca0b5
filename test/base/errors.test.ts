import { describe, expect, test } from 'vitest'
import { toEngineError } from '../../engine/base/errors.ts'

const failure = (code: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, ...(path && { path }) })

describe('the error of the table for one that the system gave', () => {
  test.each([
    ['ENOSPC', 'write'],
    ['EROFS', 'open'],
    ['EACCES', 'mkdir'],
    ['EPERM', 'rename'],
  ])('%s of %s is a result that could not be written', (code, syscall) => {
    expect(toEngineError(failure(code, syscall)).code).toBe('DISK')
  })

  test('a directory that may not be made is named, without the path to it', () => {
    const { message } = toEngineError(failure('EACCES', 'mkdir', '/home/kim/shop/out'))
    expect(message).toBe('out cannot be written: permission denied (EACCES).')
  })

  test.each([
    ['EACCES', 'scandir'],
    ['EPERM', 'kill'],
  ])('%s of %s is no failed write', (code, syscall) => {
    expect(toEngineError(failure(code, syscall)).code).toBe('INTERNAL')
  })
})
