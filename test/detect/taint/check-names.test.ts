import { expect, test } from 'vitest'
import { asksPlace, listPassedClasses } from '../../../engine/detect/taint/check-names.ts'

test.each(['isValid', 'is_safe_url', 'validateHost', 'checkAllowed', 'isTrustedOrigin', 'hasPermittedScheme'])(
  'what %s holds for is harmless',
  name => {
    expect(listPassedClasses(name, true)).toEqual(['*'])
    expect(listPassedClasses(name, false)).toEqual([])
  },
)

test.each([
  'isUnsafe',
  'is_invalid',
  'isForbiddenPath',
  'containsMaliciousInput',
  'isBlockedHost',
  'is_disallowed',
  'isNotAllowed',
])('what %s does not hold for is harmless', name => {
  expect(listPassedClasses(name, false)).toEqual(['*'])
  expect(listPassedClasses(name, true)).toEqual([])
})

test.each(['isPrivateIp', 'isPrivateOrLoopbackHost', 'is_internal_address'])(
  'what %s does not hold for may be called, and says no more',
  name => {
    expect(listPassedClasses(name, false)).toEqual(['url', 'redirect'])
    expect(listPassedClasses(name, true)).toEqual([])
  },
)

test.each(['isPrivate', 'isInternal', 'isEmpty', 'hasNext', 'load', 'blockedUsers', 'isAdmin'])(
  '%s says nothing of what it is asked about',
  name => {
    expect(listPassedClasses(name, true)).toEqual([])
    expect(listPassedClasses(name, false)).toEqual([])
  },
)

test('a check of a path’s place is known by its name', () => {
  expect(asksPlace('isInsideFolder')).toBe(true)
  expect(asksPlace('ensure_subpath')).toBe(true)
  expect(asksPlace('containerOf')).toBe(false)
})
