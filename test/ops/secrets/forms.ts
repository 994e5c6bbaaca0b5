const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What of a value must stand nowhere, in any of the forms in which it might. */
export function formsOf(text: string): string[] {
  const middle = text.length >= 20 ? text.slice(4, -4) : text
  const bytes = Buffer.from(text)
  // Within longer texts base64 begins at any of three places; the first and last digits belong to the neighbours too.
  const shifted = [0, 1, 2].map(shift =>
    base64(`${'x'.repeat(shift)}${middle}`)
      .slice(shift === 0 ? 0 : 4)
      .replace(/.{0,4}$/, ''),
  )
  return [
    middle,
    middle.slice(0, 12),
    ...shifted,
    bytes.toString('hex').slice(8, -8),
    encodeURIComponent(middle),
    [...middle].reverse().join(''),
  ]
}
