/**
 * Names of licenses that are in use beside the ids of SPDX, and mean exactly one. A name that several licenses have ("BSD", "Artistic")
 * is not here: which of them is meant, only the license's text says. Keys are what `foldName` makes of a name.
 */
const NAMES: Readonly<Record<string, string>> = {
  'apache 2': 'Apache-2.0',
  'apache 2.0': 'Apache-2.0',
  apache2: 'Apache-2.0',
  'apache2.0': 'Apache-2.0',
  'apache v2': 'Apache-2.0',
  'apache asl 2.0': 'Apache-2.0',
  'apache al 2.0': 'Apache-2.0',
  'asl 2.0': 'Apache-2.0',
  asl2: 'Apache-2.0',
  'al 2.0': 'Apache-2.0',
  'apache 1.1': 'Apache-1.1',
  'apache 1.0': 'Apache-1.0',
  mit: 'MIT',
  'mit mit': 'MIT',
  'mit expat': 'MIT',
  expat: 'MIT',
  'expat mit': 'MIT',
  'mit x11': 'MIT',
  'x11 mit': 'MIT',
  'mit 0': 'MIT-0',
  'mit no attribution': 'MIT-0',
  'mit no attribution mit 0': 'MIT-0',
  isc: 'ISC',
  'isc iscl': 'ISC',
  iscl: 'ISC',
  'bsd 2 clause': 'BSD-2-Clause',
  'bsd 2': 'BSD-2-Clause',
  '2 clause bsd': 'BSD-2-Clause',
  bsd2: 'BSD-2-Clause',
  'simplified bsd': 'BSD-2-Clause',
  'bsd simplified': 'BSD-2-Clause',
  freebsd: 'BSD-2-Clause',
  'bsd 2 clause simplified': 'BSD-2-Clause',
  'bsd 2 clause freebsd': 'BSD-2-Clause',
  'bsd 3 clause': 'BSD-3-Clause',
  'bsd 3': 'BSD-3-Clause',
  '3 clause bsd': 'BSD-3-Clause',
  bsd3: 'BSD-3-Clause',
  'bsd 3 clause new or revised': 'BSD-3-Clause',
  'new bsd': 'BSD-3-Clause',
  'bsd new': 'BSD-3-Clause',
  'modified bsd': 'BSD-3-Clause',
  'revised bsd': 'BSD-3-Clause',
  'bsd 3 clause revised': 'BSD-3-Clause',
  'eclipse distribution 1.0': 'BSD-3-Clause',
  'edl 1.0': 'BSD-3-Clause',
  'bsd 4 clause': 'BSD-4-Clause',
  '4 clause bsd': 'BSD-4-Clause',
  'original bsd': 'BSD-4-Clause',
  'bsd original': 'BSD-4-Clause',
  'zero clause bsd': '0BSD',
  'bsd zero clause': '0BSD',
  'free public 1.0.0': '0BSD',
  'zero clause bsd 0bsd': '0BSD',
  'mpl 2.0': 'MPL-2.0',
  mpl2: 'MPL-2.0',
  'mpl 2': 'MPL-2.0',
  'mpl2.0': 'MPL-2.0',
  'mozilla 2.0': 'MPL-2.0',
  'mozilla public 2.0': 'MPL-2.0',
  'mozilla public 2.0 mpl 2.0': 'MPL-2.0',
  'mozilla public 1.1': 'MPL-1.1',
  'mozilla public 1.1 mpl 1.1': 'MPL-1.1',
  'mpl 1.1': 'MPL-1.1',
  'mozilla public 1.0': 'MPL-1.0',
  'mozilla public 1.0 mpl': 'MPL-1.0',
  'mpl 1.0': 'MPL-1.0',
  'eclipse public 1.0': 'EPL-1.0',
  'eclipse public 1.0 epl 1.0': 'EPL-1.0',
  'epl 1.0': 'EPL-1.0',
  epl1: 'EPL-1.0',
  'eclipse public 2.0': 'EPL-2.0',
  'eclipse public 2.0 epl 2.0': 'EPL-2.0',
  'epl 2.0': 'EPL-2.0',
  epl2: 'EPL-2.0',
  'common public 1.0': 'CPL-1.0',
  'cpl 1.0': 'CPL-1.0',
  'cddl 1.0': 'CDDL-1.0',
  'cddl 1.1': 'CDDL-1.1',
  'common development and distribution 1.0': 'CDDL-1.0',
  'common development and distribution 1.1': 'CDDL-1.1',
  'common development and distribution 1.0 cddl 1.0': 'CDDL-1.0',
  'artistic 2.0': 'Artistic-2.0',
  'artistic 1.0': 'Artistic-1.0',
  'perl 5': 'Artistic-1.0-Perl OR GPL-1.0-or-later',
  perl_5: 'Artistic-1.0-Perl OR GPL-1.0-or-later',
  'same terms as perl itself': 'Artistic-1.0-Perl OR GPL-1.0-or-later',
  boost: 'BSL-1.0',
  'boost 1.0': 'BSL-1.0',
  'boost 1.0 bsl 1.0': 'BSL-1.0',
  'bsl 1.0': 'BSL-1.0',
  'bsl1.0': 'BSL-1.0',
  unlicense: 'Unlicense',
  'unlicense unlicense': 'Unlicense',
  cc0: 'CC0-1.0',
  'cc0 1.0': 'CC0-1.0',
  'cc0 1.0 universal': 'CC0-1.0',
  'cc0 1.0 universal cc0 1.0 public domain dedication': 'CC0-1.0',
  'creative commons zero 1.0 universal': 'CC0-1.0',
  'cc by 3.0': 'CC-BY-3.0',
  'cc by 4.0': 'CC-BY-4.0',
  'cc by sa 3.0': 'CC-BY-SA-3.0',
  'cc by sa 4.0': 'CC-BY-SA-4.0',
  wtfpl: 'WTFPL',
  'wtfpl 2': 'WTFPL',
  'do what the fuck you want to public 2': 'WTFPL',
  zlib: 'Zlib',
  'zlib/libpng': 'Zlib',
  'python software foundation': 'PSF-2.0',
  'python software foundation 2': 'PSF-2.0',
  psf: 'PSF-2.0',
  psfl: 'PSF-2.0',
  'psf 2.0': 'PSF-2.0',
  'python 2.0': 'Python-2.0',
  'zope public 2.1': 'ZPL-2.1',
  'zpl 2.1': 'ZPL-2.1',
  'zpl 2.0': 'ZPL-2.0',
  w3c: 'W3C',
  ruby: 'Ruby',
  'ofl 1.1': 'OFL-1.1',
  'sil ofl 1.1': 'OFL-1.1',
  'sil open font 1.1': 'OFL-1.1',
  'sil open font 1.1 ofl 1.1': 'OFL-1.1',
  'open font 1.1': 'OFL-1.1',
  'historical permission notice and disclaimer hpnd': 'HPND',
  'academic free 3.0': 'AFL-3.0',
  'afl 2.1': 'AFL-2.1',
  'afl 3.0': 'AFL-3.0',
  'open 3.0': 'OSL-3.0',
  'osl 3.0': 'OSL-3.0',
  'ms pl': 'MS-PL',
  'microsoft public': 'MS-PL',
  'microsoft public ms pl': 'MS-PL',
  'microsoft reciprocal': 'MS-RL',
  'microsoft reciprocal ms rl': 'MS-RL',
  'european union public 1.1': 'EUPL-1.1',
  'european union public 1.2': 'EUPL-1.2',
  'european union public 1.1 eupl 1.1': 'EUPL-1.1',
  'european union public 1.2 eupl 1.2': 'EUPL-1.2',
  'eupl 1.2': 'EUPL-1.2',
  'university of illinois/ncsa open source': 'NCSA',
  ncsa: 'NCSA',
  postgresql: 'PostgreSQL',
  upl: 'UPL-1.0',
  'universal permissive 1.0': 'UPL-1.0',
  'universal permissive upl': 'UPL-1.0',
  'blue oak model 1.0.0': 'BlueOak-1.0.0',
  json: 'JSON',
  openssl: 'OpenSSL',
  'sspl 1.0': 'SSPL-1.0',
  'server side public 1': 'SSPL-1.0',
  'business source 1.1': 'BUSL-1.1',
  'elastic 2.0': 'Elastic-2.0',
  'mulan psl 2': 'MulanPSL-2.0',
  'mulan permissive 2 mulanpsl 2.0': 'MulanPSL-2.0',
  'cecill 2.1': 'CECILL-2.1',
  'cecill b free agreement cecill b': 'CECILL-B',
  'cecill c free agreement cecill c': 'CECILL-C',
  'gplv2+ce': 'GPL-2.0-only WITH Classpath-exception-2.0',
  'gpl2 w/ cpe': 'GPL-2.0-only WITH Classpath-exception-2.0',
  'gpl 2 with classpath exception': 'GPL-2.0-only WITH Classpath-exception-2.0',
  'apache 2.0 with llvm exceptions': 'Apache-2.0 WITH LLVM-exception',
  'apache 2.0 with llvm exception': 'Apache-2.0 WITH LLVM-exception',
  'lppl 1.3c': 'LPPL-1.3c',
  vim: 'Vim',
  sleepycat: 'Sleepycat',
  'qt public': 'QPL-1.0',
  'ibm public': 'IPL-1.0',
  'nasa open source agreement 1.3': 'NASA-1.3',
  'intel open source': 'Intel',
  'attribution assurance': 'AAL',
  beerware: 'Beerware',
  'php 3.01': 'PHP-3.01',
  'php 3.0': 'PHP-3.0',
}

/** Addresses of licenses that manifests give instead of a name, without scheme, `www.` and what follows. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'apache.org/licenses/license-2.0': 'Apache-2.0',
  'opensource.org/licenses/apache2.0': 'Apache-2.0',
  'opensource.org/licenses/apache-2.0': 'Apache-2.0',
  'opensource.org/licenses/mit': 'MIT',
  'opensource.org/license/mit': 'MIT',
  'opensource.org/licenses/mit-license': 'MIT',
  'mit-license.org': 'MIT',
  'opensource.org/licenses/isc': 'ISC',
  'opensource.org/licenses/bsd-2-clause': 'BSD-2-Clause',
  'opensource.org/licenses/bsd-3-clause': 'BSD-3-Clause',
  'opensource.org/licenses/mpl-2.0': 'MPL-2.0',
  'mozilla.org/mpl/2.0': 'MPL-2.0',
  'mozilla.org/en-us/mpl/2.0': 'MPL-2.0',
  'eclipse.org/legal/epl-v10': 'EPL-1.0',
  'eclipse.org/legal/epl-2.0': 'EPL-2.0',
  'eclipse.org/org/documents/edl-v10': 'BSD-3-Clause',
  'unlicense.org': 'Unlicense',
  'creativecommons.org/publicdomain/zero/1.0': 'CC0-1.0',
  'wtfpl.net': 'WTFPL',
  'boost.org/license_1_0': 'BSL-1.0',
  'json.org/license': 'JSON',
  'isc.org/isc-license-1.0': 'ISC',
}

/** The GNU project's addresses. */
const GNU_ADDRESS = /^gnu\.org\/(?:licenses|copyleft)\/(?:old-licenses\/)?(agpl|lgpl|gpl|fdl)-(\d\.\d)/

const GNU_FAMILIES: readonly [RegExp, string][] = [
  [/^(?:gnu )?(?:affero (?:gnu )?(?:general public|gpl)|agpl)\b/, 'AGPL'],
  [/^(?:gnu )?(?:(?:lesser|library)(?: or (?:lesser|library))? (?:general public|gpl)|lgpl)\b/, 'LGPL'],
  [/^(?:gnu )?(?:free documentation|gfdl|fdl)\b/, 'GFDL'],
  [/^(?:gnu )?(?:general public|gpl)\b/, 'GPL'],
]
/** The first version of each family: what "any version" begins with. */
const FIRST: Readonly<Record<string, string>> = { GPL: '1.0', LGPL: '2.0', AGPL: '3.0', GFDL: '1.1' }
const GNU_VERSIONS = /^(?:1|2|3|1\.0|1\.1|1\.2|1\.3|2\.0|2\.1|3\.0)$/

/** The SPDX expression that a name or an address of a license means; undefined where it means none, or more than one. */
export function findLicenseName(said: string): string | undefined {
  const address = said
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/(?:\.txt|\.html?|\.php|\/)+$/, '')
    .replace(/\.en$/, '')
  const byAddress = Object.hasOwn(ADDRESSES, address) ? ADDRESSES[address] : undefined
  if (byAddress !== undefined) return byAddress
  const gnu = GNU_ADDRESS.exec(address)
  if (gnu) return `${gnu[1] === 'fdl' ? 'GFDL' : gnu[1]!.toUpperCase()}-${gnu[2]}-only`
  const name = foldName(said)
  return (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined) ?? findGnuName(name)
}

/** One spelling of a name: without the words that all names have, and with versions as bare numbers. */
export function foldName(said: string): string {
  return said
    .toLowerCase()
    .replace(/^license :: (?:osi approved :: )?/, '')
    .replace(/[(),:"']/g, ' ')
    .replace(/[-_]/g, ' ')
    .replace(/\b(?:the|licen[cs]es?|version|software(?! foundation)|open source initiative|clauses)\b/g, match =>
      match === 'clauses' ? 'clause' : ' ',
    )
    .replace(/\bver?\.? ?(?=\d)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** "GPLv2+", "GNU LGPL 2.1 or later": the GNU family, whose names have a version and what of later ones. */
function findGnuName(name: string): string | undefined {
  for (const [pattern, family] of GNU_FAMILIES) {
    const found = pattern.exec(name.replace(/^(a|l)?gpl(?=[v\d])/, '$&  ').replace(/ {2}v?/, ' '))
    if (!found) continue
    const rest = found.input.slice(found[0].length).trim()
    return readGnuVersion(rest, family)
  }
  return undefined
}

function readGnuVersion(rest: string, family: string): string | undefined {
  // A classifier repeats the name: "v3 or later gplv3+".
  const text = rest.replace(/ (?:a|l)?gplv?\d?(?:\.\d)?\+?$/, '')
  if (text === '' || /^(?:a|l)?gpl$/.test(text)) return `${family}-${FIRST[family]}-or-later`
  const [, number = '', plus = '', after = ''] = /^v?(\d(?:\.\d)?)(?:\.0)?(\+?)(.*)$/.exec(text) ?? []
  const words = after.trim()
  if (!GNU_VERSIONS.test(number)) return undefined
  const version = number.includes('.') ? number : `${number}.0`
  if (
    (plus === '+' && words === '') ||
    /^(?:or|and) (?:\(?at your option\)? )?(?:any )?(?:later|newer|above|greater)(?: versions?)?$/.test(words)
  )
    return `${family}-${version}-or-later`
  return plus === '' && (words === '' || words === 'only') ? `${family}-${version}-only` : undefined
}
