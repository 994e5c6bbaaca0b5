import { describe, expect, it } from 'vitest'
import { remediationIn, remediationOf } from '../../../engine/base/records/remediation.ts'

const rule = {
  remediation: 'Use TLS.',
  corrected_code: [
    { languages: ['javascript', 'typescript'], code: "get('https://a.io')\n" },
    { languages: ['lua'], code: 'local answer = get("https://a.io")\n\nreturn answer\n' },
  ],
}

describe('the remediation of a rule of several languages', () => {
  it("has the corrected code of the file's language, and of no other, in a finding", () => {
    expect(remediationIn(rule, 'lua')).toBe('Use TLS.\n\n    local answer = get("https://a.io")\n\n    return answer\n')
    expect(remediationIn(rule, 'typescript')).toBe("Use TLS.\n\n    get('https://a.io')\n")
  })

  it('is the text alone in a language without corrected code', () => {
    expect(remediationIn(rule, 'dart')).toBe('Use TLS.')
  })

  it('names each language before its code where the rule is described', () => {
    expect(remediationOf(rule)).toBe(
      [
        'Use TLS.',
        "JavaScript, TypeScript:\n\n    get('https://a.io')",
        'Lua:\n\n    local answer = get("https://a.io")\n\n    return answer\n',
      ].join('\n\n'),
    )
  })

  it('is what its rule says where no language has code of its own', () => {
    expect(remediationIn({ remediation: 'Use TLS.\n' }, 'lua')).toBe('Use TLS.\n')
    expect(remediationOf({ remediation: 'Use TLS.\n' })).toBe('Use TLS.\n')
  })
})
