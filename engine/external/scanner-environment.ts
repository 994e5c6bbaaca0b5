import { makeTrustedPath } from '../sources/repository/program-path.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Names of further variables for external scanners, separated by commas; set outside of the repository by who trusts the commands. */
export const PASSED_VARIABLE = 'SVC_EXTERNAL_ENV'

/** Variables that a program needs to find its files and to speak the user's language; none of them signs anybody in. */
const PASSED = new Set([
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'NO_COLOR', 'CI'],
  ...['TMPDIR', 'TEMP', 'TMP'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'GOCACHE', 'GOMODCACHE', 'VIRTUAL_ENV', 'CARGO_HOME', 'RUSTUP_HOME', 'GEM_HOME'],
  ...[
    'SYSTEMROOT',
    'WINDIR',
    'COMSPEC',
    'PATHEXT',
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'USERPROFILE',
  ],
])
const PASSED_FAMILY = /^(?:LC_|XDG_)[A-Z_]+$/
/** A proxy's address may hold a password. */
const WITH_PASSWORD = /:\/\/[^/@]*:[^/@]*@/

/**
 * The environment of an external scanner: what it needs to run, and no token. Credentials of CI, clouds and svc itself are never passed on;
 * a variable that a scanner signs in with is, where the user names it in SVC_EXTERNAL_ENV. Programs are not looked up in the repository.
 */
export function makeScannerEnvironment(root: string, env: Environment): Record<string, string> {
  const named = new Set((env[PASSED_VARIABLE] ?? '').split(/[\s,]+/).filter(name => !/^(?:SVC|GUARD)_/.test(name)))
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^path$/i.test(name)) continue
    const isHarmless =
      (PASSED.has(name) || PASSED.has(name.toUpperCase()) || PASSED_FAMILY.test(name)) && !WITH_PASSWORD.test(value)
    if (isHarmless || named.has(name)) passed[name] = value
  }
  return { ...passed, PATH: makeTrustedPath(root, env) }
}
