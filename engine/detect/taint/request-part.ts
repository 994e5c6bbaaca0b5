/** What the models call input of an HTTP request where the source itself shows which part of the request it is. */
export const REQUEST_DATA = 'HTTP request data'

/** Parts of a request by the names that frameworks give them; the first that matches counts. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/cookie/i, 'HTTP request cookie'],
  [/header|referr?er|user_?agent/i, 'HTTP request header'],
  [/file_?name|originalname/i, 'uploaded file name'],
  [/files?\b|upload/i, 'uploaded file'],
  [/body|json|payload|input_?stream|php:\/\/input|rack\.input/i, 'HTTP request body'],
  [/param|query|args|form|values|\bGET\b|\bPOST\b|_GET|_POST|_REQUEST/i, 'HTTP request parameter'],
  [/path|ur[il]/i, 'HTTP request URL'],
]

/**
 * The part of an HTTP request that an access reads: `request.getHeader("X-User")` is an HTTP request header. An expression that
 * names no part, or is only the name of a variable, is request data.
 */
export function nameRequestPart(expression: string): string {
  const access = expression
    .slice(0, 200)
    .replace(/(["'`])(?!php:|rack\.).*?\1/g, '')
    .replace(/\([^()]*\)$/, '')
  if (!/[.[>$:(]/.test(access)) return REQUEST_DATA
  return PARTS.find(([name]) => name.test(access))?.[1] ?? REQUEST_DATA
}
