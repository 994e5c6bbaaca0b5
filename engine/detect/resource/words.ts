/** A word that each file with the type has, where it is not the type's own name: types of formats are svc's names, not theirs. */
const WORDS: Readonly<Record<string, string>> = {
  'Kubernetes::Pod': 'containers',
  'Kubernetes::Container': 'containers',
  'Kubernetes::Object': 'apiVersion',
  'Compose::Service': 'services',
  'Ansible::Task': 'name',
  'GitHub::Workflow': 'jobs',
  'GitHub::Job': 'jobs',
  'GitHub::Step': 'steps',
  'GitLab::Pipeline': 'script',
  'GitLab::Job': 'script',
  'Azure::Pipeline': 'steps',
  'Azure::Step': 'steps',
  'CircleCI::Config': 'jobs',
  'CircleCI::Job': 'jobs',
  'CircleCI::Step': 'steps',
  'Serverless::Service': 'provider',
  'Serverless::Function': 'functions',
  'Serverless::Event': 'events',
  'Serverless::Statement': 'provider',
  'OpenAPI::Document': 'paths',
  'OpenAPI::Operation': 'paths',
  'OpenAPI::Server': 'servers',
  'OpenAPI::Scheme': 'paths',
}

/** The word of a type; undefined where it is the type's name behind its last dot. */
export function findWord(type: string): string | undefined {
  const known = WORDS[type]
  if (known !== undefined) return known
  // In Bicep a resource within another one has the last part of its type.
  if (/^Microsoft\.[\w.]+\/.+\//.test(type)) return type.slice(type.lastIndexOf('/') + 1)
  // A kind of Kubernetes and a module of Ansible stand in the file as they are.
  return /^(?:Kubernetes|Ansible)::/.test(type) ? type.slice(type.indexOf('::') + 2) : undefined
}
