/** A sign in a repository that packs are for it: something that stands in it, and the packs by the beginning of their ids. */
export interface Sign {
  packs: readonly string[]
  /** Names of packages of which a manifest requires one. */
  dependencies?: readonly string[]
  /** A path of a file. */
  path?: RegExp
  /** A word in a document for people. */
  words?: RegExp
  why: string
}

/** What tells that a pack is for a repository, beside its languages. Each says no more than it shows. */
export const SIGNS: readonly Sign[] = [
  {
    packs: ['react'],
    dependencies: ['react', 'preact', 'react-native'],
    why: 'React code',
  },
  {
    packs: ['node-web', 'owasp-api'],
    dependencies: ['express', 'fastify', '@nestjs/core', 'next', 'koa', '@hapi/hapi', 'hono'],
    why: 'a Node.js web server',
  },
  {
    packs: ['django-flask-fastapi', 'owasp-api'],
    dependencies: ['django', 'flask', 'fastapi', 'starlette', 'aiohttp', 'tornado', 'djangorestframework'],
    why: 'a Python web server',
  },
  {
    packs: ['spring', 'owasp-api'],
    dependencies: ['spring-boot-starter-web', 'spring-webmvc', 'spring-security-core', 'spring-boot-starter-webflux'],
    why: 'a Spring web server',
  },
  {
    packs: ['ruby-rails'],
    dependencies: ['rails', 'sinatra'],
    why: 'a Ruby web server',
  },
  {
    packs: ['ai-llm', 'owasp-llm', 'nist-ai-rmf', 'eu-ai-act'],
    dependencies: [
      'openai',
      'anthropic',
      '@anthropic-ai/sdk',
      'langchain',
      '@langchain/core',
      'llama-index',
      'transformers',
      'torch',
      'tensorflow',
      'litellm',
      'ollama',
      '@google/generative-ai',
      'google-generativeai',
      'ai',
    ],
    why: 'machine learning models',
  },
  {
    packs: ['mcp-agents'],
    dependencies: ['@modelcontextprotocol/sdk', 'mcp', 'fastmcp'],
    path: /(?:^|\/)\.?mcp\.json$/,
    why: 'tools for AI agents',
  },
  {
    packs: ['pci-dss'],
    dependencies: ['stripe', 'braintree', 'adyen', '@adyen/api-library', 'square', 'authorizenet'],
    words: /\bPCI[- ]?DSS\b|\bcardholder data\b/,
    why: 'payment processing',
  },
  {
    packs: ['hipaa'],
    dependencies: [
      'fhirclient',
      'fhir.resources',
      'fhir',
      'hl7',
      'python-hl7',
      'hapi-fhir-base',
      'pydicom',
      'pynetdicom',
    ],
    words: /\bHIPAA\b|\bprotected health information\b/,
    why: 'health data',
  },
  {
    packs: ['docker'],
    path: /(?:^|\/)(?:Dockerfile|Containerfile|docker-compose\.ya?ml|compose\.ya?ml)$/,
    why: 'container images',
  },
  { packs: ['kubernetes'], path: /(?:^|\/)(?:Chart\.yaml|kustomization\.ya?ml)$/, why: 'Kubernetes manifests' },
  { packs: ['terraform'], path: /\.tf$/, why: 'infrastructure as code' },
  { packs: ['github-actions'], path: /^\.github\/workflows\/[^/]+\.ya?ml$/, why: 'GitHub Actions workflows' },
  { packs: ['owasp-api'], path: /(?:^|\/)(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$/, why: 'an API specification' },
  { packs: ['gdpr'], words: /\bGDPR\b|\bGeneral Data Protection Regulation\b/, why: 'it mentions personal data' },
  { packs: ['soc2'], words: /\bSOC ?2\b/, why: 'it mentions SOC 2' },
  { packs: ['iso-27001'], words: /\bISO(?:\/IEC)? ?27001\b/, why: 'it mentions ISO 27001' },
  { packs: ['nist-800-53'], words: /\bNIST (?:SP )?800-53\b|\bFedRAMP\b/, why: 'it mentions NIST 800-53' },
  { packs: ['nist-ssdf'], words: /\bSSDF\b|\bNIST (?:SP )?800-218\b/, why: 'it mentions the SSDF' },
  { packs: ['nist-csf'], words: /\bNIST CSF\b|\bNIST Cybersecurity Framework\b/, why: 'it mentions the NIST CSF' },
  { packs: ['cmmc'], words: /\bCMMC\b|\bNIST (?:SP )?800-171\b/, why: 'it mentions CMMC' },
  { packs: ['eu-ai-act'], words: /\bAI Act\b/, why: 'it mentions the AI Act' },
  { packs: ['eu-cra'], words: /\bCyber Resilience Act\b/, why: 'it mentions the Cyber Resilience Act' },
  { packs: ['nis2'], words: /\bNIS ?2\b/, why: 'it mentions NIS2' },
  { packs: ['dora'], words: /\bDigital Operational Resilience Act\b/, why: 'it mentions DORA' },
  { packs: ['fda-21-cfr-11', 'fda-21-cfr-part-11'], words: /\b21 CFR (?:Part )?11\b/, why: 'it mentions 21 CFR 11' },
  { packs: ['fda-iec-62304', 'iec-62304'], words: /\bIEC 62304\b/, why: 'it mentions IEC 62304' },
  { packs: ['iso-14971'], words: /\bISO 14971\b/, why: 'it mentions ISO 14971' },
  { packs: ['misra'], words: /\bMISRA\b/, why: 'it mentions MISRA' },
  { packs: ['cert-c'], words: /\bCERT C\b/, why: 'it mentions CERT C' },
  { packs: ['do-178c'], words: /\bDO-178C\b/, why: 'it mentions DO-178C' },
  { packs: ['iso-26262'], words: /\bISO 26262\b/, why: 'it mentions ISO 26262' },
  { packs: ['iec-62443'], words: /\bIEC 62443\b/, why: 'it mentions IEC 62443' },
  { packs: ['owasp-asvs'], words: /\bASVS\b/, why: 'it mentions ASVS' },
]
