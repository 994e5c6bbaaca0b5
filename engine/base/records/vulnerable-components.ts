/** The rule id under which a scan says that vulnerabilities of dependencies are not known. */
export const VULNERABILITIES_RULE = 'supply:vulnerabilities'

/** CWE-1395, dependency on a vulnerable third-party component, which every known vulnerability of a dependency is. */
export const VULNERABLE_DEPENDENCY = 'CWE-1395'

/** Weaknesses that only an advisory database shows: CWE-1395, and the OWASP categories of vulnerable components of 2013 and 2017. */
export const ADVISORY_CWES: ReadonlySet<string> = new Set([VULNERABLE_DEPENDENCY, 'CWE-937', 'CWE-1035'])
