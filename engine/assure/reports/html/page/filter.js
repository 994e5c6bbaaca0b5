const RANKS = { critical: 0, high: 1, medium: 2, low: 3, info: 4 }

/** What the form asks for. No severity ticked means every severity. */
export function filterOf(form) {
  const values = new FormData(form)
  return {
    terms: form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean),
    status: form.elements.status.value,
    rule: form.elements.rule.value,
    language: form.elements.language.value,
    severities: new Set(values.getAll('severity')),
    group: values.get('group'),
  }
}

/** The findings that pass, in the order given: worst first. */
export function pass(findings, rules, filter) {
  return findings.filter(
    finding =>
      (!filter.status || finding.status === filter.status) &&
      (!filter.rule || finding.rule === filter.rule) &&
      (!filter.language || finding.language === filter.language) &&
      (filter.severities.size === 0 || filter.severities.has(finding.severity)) &&
      filter.terms.every(term => searchText(finding, rules).includes(term)),
  )
}

/** Groups by rule or file: the one with the worst finding first, then the larger one, then by name. */
export function groupsOf(findings, key) {
  const groups = new Map()
  for (const finding of findings) {
    const group = groups.get(finding[key])
    if (group) group.findings.push(finding)
    else groups.set(finding[key], { name: finding[key], findings: [finding] })
  }
  return [...groups.values()].sort(
    (a, b) =>
      RANKS[a.findings[0].severity] - RANKS[b.findings[0].severity] ||
      b.findings.length - a.findings.length ||
      (a.name < b.name ? -1 : 1),
  )
}

const texts = new WeakMap()

/** All that the search looks at, in lower case; made once for a finding. */
function searchText(finding, rules) {
  let text = texts.get(finding)
  if (text === undefined) {
    const rule = rules[finding.rule]
    const parts = [
      finding.file,
      finding.rule,
      finding.title ?? rule.title,
      finding.message ?? rule.message,
      finding.snippet,
    ]
    text = [...parts, ...rule.cwe, ...rule.tags, ...rule.controls].join('\n').toLowerCase()
    texts.set(finding, text)
  }
  return text
}
