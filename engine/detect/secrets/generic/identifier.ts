/**
 * A name by which a key is known, and that anybody may see: `key_id`, `kid`, `kms_key_arn`, `keyFingerprint`. The id of a token is no such
 * name: OpenStack calls the token itself so.
 */
const NAMED =
  /(?:(?:key|cert(?:ificate)?)s?[ _.-]?(?:ids?|arn|uuid|guid|alias|version|ref)|(?:^|[_.-])kid|[ _.-]arn|fingerprint|thumbprint|kms[ _.-]?(?:master[ _.-]?)?key)$/i
/** The id of an access key is half of a credential. */
const ACCESS = /access[ _.-]?key[ _.-]?id$/i
const FORM =
  /^(?:0x)?[0-9a-f]{8,64}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^mrk-[0-9a-f]{32}$|^(?:[0-9a-f]{2}:){7,63}[0-9a-f]{2}$|^SHA256:[A-Za-z0-9+/]{43}=?$|^[A-Za-z0-9_-]{20,64}$|^arn:|^alias\//i

/** Whether a value is the id of a key rather than the key itself. */
export function isKeyId(name: string, value: string): boolean {
  return NAMED.test(name) && !ACCESS.test(name) && FORM.test(value)
}
