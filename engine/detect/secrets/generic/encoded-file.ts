/**
 * How base64 (RFC 4648) of a picture, a font or a WebAssembly module begins: the signatures of PNG, GIF, JPEG, WOFF 1 and 2, and
 * the module's magic number and version. Archives are left out: what is in them may be a secret.
 */
const SIGNATURES = /^(?:iVBORw0KGgo|R0lGOD[dl]h|\/9j\/4[AQ]|d09GR[g-j]|d09GM[g-j]|AGFzbQEAAA)/

/** No password and no key of a service is so long. */
const LEAST = 120

/** Whether a value is a file in base64 that holds no secret by what it is. */
export function isEncodedFile(value: string): boolean {
  return value.length >= LEAST && SIGNATURES.test(value)
}
