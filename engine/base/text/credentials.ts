/** User and password of an address: from `://` to the last `@` before the next slash. */
const USERINFO = /:\/\/([^/\s"'<>?#]*)@/g

/** Parameters of an address whose value is a credential, such as `access_token=`, `X-Amz-Signature=` and `sig=`. */
const PARAMETER =
  /([?&;#](?:[\w.-]{0,64}(?:token|secret|passw(?:or)?d|api[-_]?key|signature|credential)[\w.-]{0,64}|auth|sig|key|pwd)=)[^&#\s"'<>]+/gi

/** A user with a password before a host, where the scheme was cut off. */
const BARE = /(^|["'\s])[^/\s:@"']{1,256}:[^/\s@"']{1,256}@(?=[\w.-]+[/:])/g

/**
 * A text in which no address has a user, a password or a token any more. The user of SSH stays, since it is `git` for everybody; linear in
 * the text.
 */
export function redactCredentials(text: string): string {
  if (!/[@=]/.test(text)) return text
  return text
    .replace(USERINFO, (_, userinfo: string, at: number) => {
      const [user = '', password] = userinfo.split(':')
      const isSsh = /ssh$/i.test(text.slice(Math.max(0, at - 3), at))
      return isSsh && user !== '' ? `://${password === undefined ? userinfo : user}@` : '://'
    })
    .replace(PARAMETER, '$1REDACTED')
    .replace(BARE, '$1')
}
