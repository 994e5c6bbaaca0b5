import { type AuditCase, mcp, one, pinned, readOnly } from './audit-shapes.ts'

/** Written before the checks: thirty that look similar and are in order. */
export const GOOD: AuditCase[] = [
  { name: 'a pinned package', files: mcp(pinned), expect: [] },
  {
    name: 'a pinned scoped package',
    files: {
      '.cursor/mcp.json': one({
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-filesystem@2026.1.14', './docs'],
      }),
    },
    expect: [],
  },
  { name: 'uvx with a version', files: mcp({ command: 'uvx', args: ['team-notes==2.0.1'] }), expect: [] },
  {
    name: 'uvx from a pinned source',
    files: mcp({ command: 'uvx', args: ['--from', 'team-notes==2.0.1', 'notes-server'] }),
    expect: [],
  },
  {
    name: 'an image by digest',
    files: mcp({ command: 'docker', args: ['run', '-i', '--rm', `team/notes@sha256:${'ab'.repeat(32)}`] }),
    expect: [],
  },
  {
    name: 'an image with a version',
    files: {
      '.vscode/mcp.json': JSON.stringify({
        servers: {
          notes: {
            command: 'docker',
            args: ['run', '-i', '--rm', '-e', 'MODE=latest', '--name', 'notes', 'team/notes:4.2.0'],
          },
        },
      }),
    },
    expect: [],
  },
  { name: 'a program of the project', files: mcp({ command: 'node', args: ['./tools/server.js'] }), expect: [] },
  { name: 'svc itself', files: mcp({ command: 'svc', args: ['mcp-server'] }, 'svc'), expect: [] },
  { name: 'a shell script by name', files: mcp({ command: './tools/serve.sh', args: [] }), expect: [] },
  {
    name: 'npx of what is installed',
    files: mcp({ command: 'npx', args: ['--no-install', 'team-docs-mcp'] }),
    expect: [],
  },
  {
    name: 'npx with an exact package option',
    files: mcp({ command: 'npx', args: ['-y', '--package=team-docs-mcp@1.4.2', 'docs'] }),
    expect: [],
  },
  {
    name: 'an environment reference',
    files: mcp({ command: 'node', args: ['db.js'], env: { DB_PASSWORD: '${DB_PASSWORD}' } }),
    expect: [],
  },
  {
    name: "Cursor's environment reference",
    files: {
      '.cursor/mcp.json': one({
        url: 'https://tools.example.org/mcp',
        headers: { Authorization: 'Bearer ${env:TOOLS_TOKEN}' },
      }),
    },
    expect: [],
  },
  {
    name: "VS Code's input",
    files: {
      '.vscode/mcp.json':
        '{\n  // asked once\n  "inputs": [{ "type": "promptString", "id": "key", "password": true }],\n  "servers": { "x": { "type": "http", "url": "https://x.example.org/mcp", "headers": { "X-API-Key": "${input:key}" } } },\n}\n',
    },
    expect: [],
  },
  {
    name: 'a placeholder',
    files: mcp({ command: 'node', args: ['db.js'], env: { API_KEY: 'YOUR_API_KEY_HERE' } }),
    expect: [],
  },
  {
    name: 'settings that sound like secrets',
    files: mcp({
      command: 'node',
      args: ['db.js'],
      env: { TOKEN_LIMIT: '4096', KEY_FILE: '/run/secrets/key', PASSWORD_POLICY: 'strict', MONKEY: 'banana-banana' },
    }),
    expect: [],
  },
  { name: 'HTTP on loopback', files: mcp({ type: 'http', url: 'http://127.0.0.1:8000/mcp' }), expect: [] },
  { name: 'HTTP on localhost', files: mcp({ type: 'sse', url: 'http://localhost:3000/sse' }), expect: [] },
  {
    name: 'HTTPS with a query',
    files: mcp({ type: 'http', url: 'https://tools.example.org/mcp?project=billing&region=eu' }),
    expect: [],
  },
  {
    name: 'a narrow mount',
    files: mcp({ command: 'docker', args: ['run', '-i', '-v', './docs:/docs:ro', 'team/files:3.0.1'] }),
    expect: [],
  },
  {
    name: 'named tools approved',
    files: mcp({ command: 'node', args: ['server.js'], alwaysAllow: ['search_docs'] }),
    expect: [],
  },
  {
    name: 'approval off',
    files: { '.claude/settings.json': '{ "enableAllProjectMcpServers": false, "enabledMcpjsonServers": ["docs"] }\n' },
    expect: [],
  },
  {
    name: 'Codex with comments',
    files: {
      '.codex/config.toml':
        '# team\nmodel = "x"\n\n[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "team-docs-mcp@1.4.2"]\nenv_vars = ["DOCS_TOKEN"]\n',
    },
    expect: [],
  },
  {
    name: 'one server for two tools',
    files: { '.mcp.json': one(pinned, 'docs'), '.cursor/mcp.json': one(pinned, 'docs') },
    expect: [],
  },
  {
    name: 'the fixed version',
    files: mcp({ command: 'npx', args: ['-y', 'mcp-remote@0.1.38', 'https://tools.example.org/mcp'] }),
    expect: [],
  },
  {
    name: 'a tool that speaks of ignoring',
    files: mcp(pinned),
    tools: {
      'svc-peer': [
        {
          name: 'search',
          description:
            'Searches the docs. Ignores cached results. Important: returns at most 20 hits. Read the guide before first use.',
          inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
          annotations: readOnly,
        },
      ],
    },
    expect: [],
  },
  {
    name: 'a security tool that quotes an injection',
    files: mcp(pinned),
    tools: {
      'svc-peer': [
        {
          name: 'detect_injection',
          description:
            'Detects prompt injection, such as texts that say "ignore previous instructions", and returns a score.',
          inputSchema: { type: 'object' },
          annotations: readOnly,
        },
      ],
    },
    expect: [],
  },
  {
    name: 'accents and emoji',
    files: mcp(pinned),
    tools: {
      'svc-peer': [
        {
          name: 'greet',
          description: 'Grüßt auf Deutsch 👩‍👩‍👧 und sagt نعم.',
          inputSchema: { type: 'object' },
          annotations: readOnly,
        },
      ],
    },
    expect: [],
  },
  {
    name: 'instructions for a team',
    files: {
      'AGENTS.md':
        '# Team\n\nRun `npm test` before each commit. Never commit secrets or print .env. Tell the user what changed. Ignore files in dist/.\n',
    },
    expect: [],
  },
  {
    name: 'a hook of an installed program',
    files: {
      '.claude/settings.json': JSON.stringify({
        hooks: { PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'svc hook fix' }] }] },
      }),
    },
    expect: [],
  },
]
