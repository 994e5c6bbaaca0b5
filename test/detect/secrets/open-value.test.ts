import { describe, expect, it } from 'vitest'
import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { isOpenValue, isProse } from '../../../engine/detect/secrets/generic/open-value.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'

const VALUE = ['x3JJ', 'HMbDL1', 'EzLkh9GBhXDw'].join('')
const found = (text: string, language: string) => runGeneric(text, findAnchors(text), language, false)

describe('values that everybody may see', () => {
  it.each([
    `Sec-WebSocket-Key: ${VALUE}==`,
    `[state](https://ci.example/badge.svg?token=${VALUE})`,
    `?b=1&nonce=${VALUE}`,
    `Authorization: Digest realm="acme", nonce="${VALUE}", qop=auth`,
    `WWW-Authenticate: Digest nonce="${VALUE}"`,
    `nc=1, cnonce="${VALUE}"`,
    `oauth_nonce="${VALUE}"`,
  ])('%s is no secret', text => {
    expect(isOpenValue(text, text.indexOf(VALUE))).toBe(true)
    expect(found(text, 'markdown')).toEqual([])
  })

  it('the same value as the key of an API is one', () => {
    const text = `api_key = "${VALUE}"`
    expect(isOpenValue(text, text.indexOf(VALUE))).toBe(false)
    expect(found(text, 'python')).toHaveLength(1)
  })

  it('a nonce that no protocol sends is one', () => {
    expect(isOpenValue(`nonce = "${VALUE}"`, 9)).toBe(false)
  })

  it.each(['changeme', 'CHANGE_ME', 'please-change-this!'])('%s only asks for another one', value => {
    expect(found(`password: "${value}"`, 'yaml')).toEqual([])
  })

  it('a password that has such words in it is one', () => {
    expect(found(`password: "${['change', 'me', '2024'].join('')}#Kx"`, 'yaml')).toHaveLength(1)
  })

  it('a call in PowerShell is no value', () => {
    expect(found('$secret = [System.Convert]::FromBase64String($text)', 'powershell')).toEqual([])
  })
})

describe('prose', () => {
  it('is told from a passphrase and from a mnemonic', () => {
    expect(isProse('The element must have a readable name.')).toBe(true)
    expect(isProse('lang atributuaren balioa zerrendan sartuta dago')).toBe(true)
    expect(isProse('Das Element hat einen Wert, der nicht größer als 0 ist.')).toBe(true)
    expect(isProse('Rubriknivåerna är giltiga')).toBe(true)
    expect(isProse('1つのロール値のみ使用されています')).toBe(true)
    expect(isProse('correct horse battery staple')).toBe(false)
    expect(isProse('Sommer 2024 Käse')).toBe(false)
    expect(isProse('пароль2024')).toBe(false)
    expect(isProse('abandon ability able about above absent')).toBe(false)
  })
})
