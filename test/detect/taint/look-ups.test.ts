import { describe, expect, it } from 'vitest'
import { looksUp } from '../../../engine/detect/taint/look-ups.ts'

describe('A function that cannot be seen', () => {
  it.each([
    'getRealm',
    'FindUser',
    'loadByProjectAndName',
    'GetImage',
    'find_by_name',
    'get_user_by_id',
    'try_auth',
    'authenticate',
  ])('looks something up where its name says so: %s', name => {
    expect(looksUp(name)).toBe(true)
  })

  it.each([
    'get',
    'getPath',
    'getFileName',
    'find_template',
    'getHtml',
    'loadClass',
    'render',
    'getParameter',
    'findUrlByName',
  ])('may give back what it is given where its name does not: %s', name => {
    expect(looksUp(name)).toBe(false)
  })
})
