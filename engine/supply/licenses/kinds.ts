import { type LicenseTree, loadLists } from './expression.ts'

/** What a license asks of whoever passes the software on. `unclassified`: on the list of SPDX, and not judged here. */
export type LicenseKind =
  | 'public-domain'
  | 'permissive'
  | 'weak-copyleft'
  | 'strong-copyleft'
  | 'network-copyleft'
  | 'restricted'
  | 'proprietary'
  | 'unclassified'
  | 'unknown'

/** How much a license can ask of a product that contains the dependency. Unknown is never low. */
export type LicenseRisk = 'high' | 'medium' | 'low' | 'none'

export const RISKS: Readonly<Record<LicenseKind, LicenseRisk>> = {
  'public-domain': 'none',
  permissive: 'low',
  'weak-copyleft': 'medium',
  unclassified: 'medium',
  unknown: 'medium',
  'strong-copyleft': 'high',
  'network-copyleft': 'high',
  restricted: 'high',
  proprietary: 'high',
}

/** From what asks least to what asks most: a choice of licenses is as good as the best of them. */
export const KINDS: readonly LicenseKind[] = [
  'public-domain',
  'permissive',
  'weak-copyleft',
  'unclassified',
  'unknown',
  'strong-copyleft',
  'network-copyleft',
  'restricted',
  'proprietary',
]

/** Whether a kind obliges to pass the software on under the same license. */
export function isCopyleft(kind: LicenseKind): boolean {
  return kind.endsWith('-copyleft')
}

/** Ids by kind; a star at the end stands for every id that begins so. The first row that fits holds. */
const ROWS: readonly [LicenseKind, string][] = [
  [
    'public-domain',
    '0BSD CC0-1.0 Unlicense Unlicense-* CC-PDDC CC-PDM-1.0 PDDL-1.0 WTFPL MIT-0 NIST-PD NIST-PD-* NTIA-PD',
  ],
  ['public-domain', 'SAX-PD SAX-PD-2.0 ANTLR-PD ANTLR-PD-fallback NCBI-PD DL-DE-ZERO-2.0 blessing GLWTPL FSFUL'],
  [
    'network-copyleft',
    'AGPL-* SSPL-1.0 OSL-* NPOSL-3.0 RPL-* CPAL-1.0 EUPL-* Watcom-1.0 CAL-1.0 CAL-1.0-* Parity-* APSL-*',
  ],
  ['network-copyleft', 'RPSL-1.0 HPL-* LiLiQ-Rplus-1.1 MMPL-*'],
  [
    'restricted',
    'CC-BY-NC-* CC-BY-ND-* BUSL-1.1 Elastic-2.0 PolyForm-* SUL-1.0 FSL-* Aladdin JSON CPOL-1.02 Hippocratic-*',
  ],
  [
    'restricted',
    'C-UDA-1.0 NLPL COIL-1.0 CAPEC-tou cve-tou TPL-1.0 UnRAR SCEA SNIA-* MS-LPL BSD-Protection TPDL Zed WTFNMFPL',
  ],
  [
    'restricted',
    'BSD-3-Clause-No-Military-License NCGL-UK-2.0 Ubuntu-font-1.0 Informatica IEC-Code-Components-EULA Unicode-TOU',
  ],
  [
    'weak-copyleft',
    'LGPL-* MPL-* EPL-* CPL-1.0 CDDL-* IPL-1.0 SPL-1.0 MS-RL LPL-* NPL-* CECILL-C OFL-* CDLA-Sharing-1.0',
  ],
  [
    'weak-copyleft',
    'Artistic-* ErlPL-* CUA-OPL-1.0 SISSL SISSL-* Nokia Motosoto RSCPL gSOAP-1.3b Interbase-1.0 SugarCRM-1.1.3',
  ],
  [
    'weak-copyleft',
    'YPL-* Zimbra-* CATOSL-1.1 NASA-1.3 OCLC-2.0 wxWindows CERN-OHL-W-2.0 LiLiQ-R-1.1 VSL-1.0 LGPLLR OPUBL-1.0',
  ],
  [
    'weak-copyleft',
    'ESA-PL-weak-copyleft-* BitTorrent-* OPL-1.0 TPPL-* Sendmail-Open-Source-1.1 SOFA MITNFA OSET-PL-2.1 UCL-1.0',
  ],
  ['weak-copyleft', 'OCCT-PL TORQUE-1.1 D-FSL-1.0 SHL-* Glide DRL-* APL-1.0 OSC-1.0 OLFL-1.3 FreeImage'],
  [
    'strong-copyleft',
    'GPL-* GFDL-* CC-BY-SA-* CC-SA-1.0 CECILL-1.0 CECILL-1.1 CECILL-2.0 CECILL-2.1 QPL-* Sleepycat ODbL-1.0',
  ],
  [
    'strong-copyleft',
    'copyleft-next-* CERN-OHL-S-2.0 CERN-OHL-1.1 CERN-OHL-1.2 TAPR-OHL-1.0 SimPL-2.0 Frameworx-1.0 LAL-* TGPPL-1.0',
  ],
  [
    'strong-copyleft',
    'ESA-PL-strong-copyleft-* OGTSL Arphic-1999 Linux-man-pages-copyleft Linux-man-pages-copyleft-* ClArtistic',
  ],
  ['strong-copyleft', 'SMAIL-GPL NGPL MTLL iMatix OGDL-Taiwan-1.0 BSD-Source-alt-GPL IPA'],
  [
    'permissive',
    'MIT MIT-* Apache-* BSD-* ISC ISC-* HPND HPND-* X11 X11-* AFL-* Zlib zlib-acknowledgement Libpng libpng-* BSL-1.0',
  ],
  [
    'permissive',
    'Python-2.0 Python-2.0.1 PSF-2.0 CNRI-Python CNRI-Jython CNRI-Python-GPL-Compatible PostgreSQL NCSA Unicode-3.0',
  ],
  [
    'permissive',
    'Unicode-DFS-* BlueOak-1.0.0 UPL-1.0 W3C W3C-* OpenSSL OpenSSL-standalone SSLeay-standalone curl CC-BY-1.0 CC-BY-2.0',
  ],
  [
    'permissive',
    'CC-BY-2.5 CC-BY-2.5-AU CC-BY-3.0 CC-BY-3.0-* CC-BY-4.0 ZPL-* PHP-* Zend-2.0 OLDAP-* MS-PL NTP NTP-0 TCL Vim IJG',
  ],
  [
    'permissive',
    'IJG-short FTL ICU libtiff bzip2-1.0.6 Info-ZIP Beerware Ruby Intel MulanPSL-* Net-SNMP SMLNJ SGI-B-* LPPL-* ImageMagick',
  ],
  [
    'permissive',
    'FSFAP FSFAP-* FSFULLR FSFULLRWD FSFULLRSD Bitstream-Vera Bitstream-Charter Spencer-* Xnet ECL-* EFL-* Fair Naumen',
  ],
  [
    'permissive',
    'CDLA-Permissive-* ODC-By-1.0 OGL-UK-* Community-Spec-1.0 etalab-2.0 DL-DE-BY-2.0 NLOD-* SunPro TCP-wrappers XFree86-1.1',
  ],
  [
    'permissive',
    'NetCDF CECILL-B Plexus Entessa EUDatagrid AAL Xerox NAIST-2003 Boehm-GC Boehm-GC-* TU-Berlin-* SSH-* Brian-Gladman-*',
  ],
  [
    'permissive',
    'libselinux-1.0 Latex2e Latex2e-* dtoa Qhull RSA-MD Sun-PPP Sun-PPP-* UCAR Mackerras-3-Clause Mackerras-3-Clause-*',
  ],
  [
    'permissive',
    'CMU-Mach CMU-Mach-nodoc DEC-3-Clause LZMA-SDK-* Adobe-2006 Adobe-Glyph AMDPLPA CERN-OHL-P-2.0 Jam LiLiQ-P-1.1 MirOS Multics WordNet ALGLIB-Documentation ASWF-Digital-Assets-* ESA-PL-permissive-*',
  ],
]

const EXACT = new Map<string, LicenseKind>()
const PREFIXES: [string, LicenseKind][] = []
for (const [kind, ids] of ROWS)
  for (const id of ids.split(' ')) {
    if (id.endsWith('*')) PREFIXES.push([id.slice(0, -1).toLowerCase(), kind])
    else if (!EXACT.has(id.toLowerCase())) EXACT.set(id.toLowerCase(), kind)
  }

/**
 * Exceptions that let other code be linked with, or made by, the covered code without coming under the license: with them, copyleft
 * ends at the covered files.
 */
const LINKING = new Set(
  `389-exception Autoconf-exception-2.0 Autoconf-exception-3.0 Autoconf-exception-generic Autoconf-exception-generic-3.0
  Autoconf-exception-macro Bison-exception-1.24 Bison-exception-2.2 Bootloader-exception Classpath-exception-2.0 CLISP-exception-2.0
  eCos-exception-2.0 Fawkes-Runtime-exception FLTK-exception Font-exception-2.0 freertos-exception-2.0 GCC-exception-2.0
  GCC-exception-2.0-note GCC-exception-3.1 GNAT-exception GNU-compiler-exception gnu-javamail-exception GPL-3.0-linking-exception
  GPL-3.0-linking-source-exception i2p-gpl-java-exception LGPL-3.0-linking-exception Libtool-exception Linux-syscall-note LLGPL
  LZMA-exception mif-exception OCaml-LGPL-linking-exception OpenJDK-assembly-exception-1.0 Qt-GPL-exception-1.0 Qt-LGPL-exception-1.1
  Qwt-exception-1.0 Swift-exception Texinfo-exception u-boot-exception-2.0 Universal-FOSS-exception-1.0 WxWindows-exception-3.1`.split(
    /\s+/,
  ),
)

/** The kind of one license. */
export function classifyLicense({ license, exception }: { license: string; exception?: string }): LicenseKind {
  const id = license.replace(/\+$/, '').toLowerCase()
  if (/^(?:documentref-|licenseref-)/.test(id)) return 'unknown'
  const kind = EXACT.get(id) ?? PREFIXES.find(([prefix]) => id.startsWith(prefix))?.[1]
  if (kind === undefined) return loadLists().licenses.has(id) ? 'unclassified' : 'unknown'
  const isFreed = exception !== undefined && LINKING.has(exception)
  return isFreed && (kind === 'strong-copyleft' || kind === 'network-copyleft') ? 'weak-copyleft' : kind
}

/** The kind of an expression: of a choice the one that asks least, of licenses that hold together the one that asks most. */
export function classifyTree(tree: LicenseTree): LicenseKind {
  if ('license' in tree) return classifyLicense(tree)
  const kinds = ('any' in tree ? tree.any : tree.all).map(one => KINDS.indexOf(classifyTree(one)))
  return KINDS['any' in tree ? Math.min(...kinds) : Math.max(...kinds)]!
}
