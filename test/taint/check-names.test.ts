import { expect, test } from 'vitest'
import { asksPlace, isPassed } from '../../engine/taint/check-names.ts'

test.each(['isValid', 'is_safe_url', 'validateHost', 'checkAllowed', 'isTrustedOrigin', 'hasPermittedScheme'])(
  'what %s holds for is harmless',
  name => {
    expect(isPassed(name, true)).toBe(true)
    expect(isPassed(name, false)).toBe(false)
  },
)

test.each([
  'isUnsafe',
  'is_invalid',
  'isPrivateIp',
  'isPrivateOrLoopbackHost',
  'is_internal_address',
  'isForbiddenPath',
  'containsMaliciousInput',
  'isBlockedHost',
  'is_disallowed',
  'isNotAllowed',
])('what %s does not hold for is harmless', name => {
  expect(isPassed(name, false)).toBe(true)
  expect(isPassed(name, true)).toBe(false)
})

test.each(['isPrivate', 'isInternal', 'isEmpty', 'hasNext', 'load', 'blockedUsers', 'isAdmin'])(
  '%s says nothing of what it is asked about',
  name => {
    expect(isPassed(name, true)).toBe(false)
    expect(isPassed(name, false)).toBe(false)
  },
)

test('a check of a path’s place is known by its name', () => {
  expect(asksPlace('isInsideFolder')).toBe(true)
  expect(asksPlace('ensure_subpath')).toBe(true)
  expect(asksPlace('containerOf')).toBe(false)
})
