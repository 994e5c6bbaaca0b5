import type { Severity } from '../../base/records/finding.ts'

/** What a check reports. The number is that of the list in docs/assistants.md. */
export interface Check {
  number: number
  severity: Severity
  confidence: number
  title: string
  /** What an attacker gains. */
  message: string
  remediation: string
  cwe: readonly string[]
  /** Of the OWASP MCP Top 10 (2025, beta), where one fits. */
  owasp?: string
}

/** The checks by id. */
export const CHECKS = {
  'mcp-secret': {
    ...{ number: 2, severity: 'high', confidence: 0.9, cwe: ['CWE-798'], owasp: 'MCP01' },
    title: 'Hard-coded credential in an MCP configuration',
    message: 'An attacker who can read the file can sign in with this credential.',
    remediation: 'Revoke the credential. Reference a variable instead, such as ${API_KEY} or ${env:API_KEY}.',
  },
  'mcp-unpinned-package': {
    ...{ number: 3, severity: 'medium', confidence: 0.9, cwe: ['CWE-494', 'CWE-1357'], owasp: 'MCP04' },
    title: 'MCP server without a fixed version',
    message: 'An attacker who publishes a new version of the package runs code on the machine of every developer.',
    remediation: 'Pin the exact version (name@1.2.3, name==1.2.3) or the digest of the image.',
  },
  'mcp-shell-command': {
    ...{ number: 4, severity: 'medium', confidence: 0.9, cwe: ['CWE-78'], owasp: 'MCP05' },
    title: 'MCP server started by a shell string',
    message: 'An attacker can hide commands in the string, which a reviewer reads as one program.',
    remediation: 'Name the program in command and its arguments in args.',
  },
  'mcp-privileged-command': {
    ...{ number: 4, severity: 'high', confidence: 0.95, cwe: ['CWE-250'], owasp: 'MCP02' },
    title: 'MCP server with elevated privileges',
    message: 'An attacker who takes over the server controls the whole machine.',
    remediation: 'Run the server as the user, without sudo, --privileged, added capabilities and the socket of Docker.',
  },
  'mcp-insecure-transport': {
    ...{ number: 5, severity: 'high', confidence: 0.9, cwe: ['CWE-319'], owasp: 'MCP07' },
    title: 'MCP server reached without TLS, or open to the network',
    message: 'An attacker in the network can read and change what the assistant and the server exchange.',
    remediation: 'Use https, verify certificates, and bind local servers to 127.0.0.1.',
  },
  'mcp-broad-access': {
    ...{ number: 6, severity: 'high', confidence: 0.9, cwe: ['CWE-732'], owasp: 'MCP02' },
    title: 'MCP server with access to the whole disk or home directory',
    message: 'An attacker can read and change every file of the user by prompt injection.',
    remediation: 'Name the directories that the server needs, read-only where that is enough.',
  },
  'mcp-auto-approval': {
    ...{ number: 7, severity: 'high', confidence: 0.95, cwe: ['CWE-862'], owasp: 'MCP07' },
    title: 'Tools run without confirmation',
    message: 'An attacker can call any tool by prompt injection, and nobody is asked.',
    remediation: 'Approve single tools that only read; let the assistant ask for the others.',
  },
  'mcp-name-collision': {
    ...{ number: 8, severity: 'medium', confidence: 0.8, cwe: ['CWE-694'], owasp: 'MCP09' },
    title: 'Two MCP servers with one name',
    message: 'An attacker can place a server under a name that the assistant already trusts.',
    remediation: 'Give each server a name of its own, and the same program wherever the name occurs.',
  },
  'mcp-tool-shadowing': {
    ...{ number: 8, severity: 'high', confidence: 0.7, cwe: ['CWE-829'], owasp: 'MCP03' },
    title: 'A tool shadows a tool of another MCP server',
    message: 'An attacker who controls one server can change how the assistant uses another one.',
    remediation: 'Remove one of the servers, or allow one of the two tools only.',
  },
  'mcp-typosquat': {
    ...{ number: 8, severity: 'high', confidence: 0.7, cwe: ['CWE-1357'], owasp: 'MCP04' },
    title: 'Name of an MCP server resembles a well-known package',
    message: 'An attacker can publish a package under a mistyped name, and run code where it is started.',
    remediation: 'Check the name. If it is meant, suppress the finding with the reason.',
  },
  'mcp-tool-poisoning': {
    ...{ number: 9, severity: 'high', confidence: 0.8, cwe: ['CWE-1427'], owasp: 'MCP03' },
    title: 'Hidden or suspicious instructions in a tool of an MCP server',
    message: 'An attacker who controls the server can make the assistant leak files or change code.',
    remediation: 'Remove the server, and report it to its publisher.',
  },
  'mcp-tool-changed': {
    ...{ number: 10, severity: 'high', confidence: 1, cwe: ['CWE-494'], owasp: 'MCP03' },
    title: 'Tool of an MCP server changed since it was pinned',
    message: 'An attacker can change what a tool tells the assistant after it was reviewed (rug pull).',
    remediation: 'Review the tool, then pin it again with `svc audit-mcp --connect --update-lock`.',
  },
  'mcp-toxic-flow': {
    ...{ number: 11, severity: 'medium', confidence: 0.5, cwe: ['CWE-200'], owasp: 'MCP10' },
    title: 'Tools combine untrusted content, private data and a public sink',
    message: 'An attacker can place instructions in content that is fetched, and have private data sent out.',
    remediation: 'Use the servers in separate sessions, or require confirmation for the tool that sends.',
  },
  'mcp-too-many-tools': {
    ...{ number: 12, severity: 'low', confidence: 1, cwe: ['CWE-1120'] },
    title: 'More than 100 tools',
    message: 'An attacker profits where nobody reviews what each tool does, and the assistant picks the wrong one.',
    remediation: 'Disable servers and tools that are not needed.',
  },
  'mcp-unsafe-instructions': {
    ...{ number: 13, severity: 'high', confidence: 0.8, cwe: ['CWE-1427'], owasp: 'MCP06' },
    title: 'Hidden or suspicious instructions in a file for assistants',
    message: 'An attacker can make the assistant leak files, run downloads or hide what it does.',
    remediation: 'Delete the instruction, and review who added it.',
  },
  'mcp-hook-command': {
    ...{ number: 14, severity: 'medium', confidence: 0.7, cwe: ['CWE-829'], owasp: 'MCP05' },
    title: 'Hook runs a program of the repository, or a download',
    message: 'An attacker whose change is checked out runs code as soon as the assistant starts or edits.',
    remediation: 'Run an installed program, or keep the hook in the settings of the user.',
  },
  'mcp-missing-annotations': {
    ...{ number: 15, severity: 'low', confidence: 1, cwe: ['CWE-862'], owasp: 'MCP07' },
    title: 'Tools without annotations',
    message: 'An attacker can have a tool change things without a question, since the assistant takes it for harmless.',
    remediation: 'Ask the publisher for readOnlyHint and destructiveHint; confirm each call until then.',
  },
  'mcp-known-vulnerable': {
    ...{ number: 16, severity: 'critical', confidence: 0.95, cwe: ['CWE-1395'], owasp: 'MCP04' },
    title: 'MCP server with a known vulnerability',
    message: 'An attacker can use a published vulnerability of this version.',
    remediation: 'Raise the version.',
  },
} as const satisfies Record<string, Check>

export type CheckId = keyof typeof CHECKS
