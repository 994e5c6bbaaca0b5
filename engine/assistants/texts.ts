/** What runs after an edit. */
export const HOOK_COMMAND = 'svc hook edited'

export const SECTION_BEGIN = '<!-- svc:begin -->'
export const SECTION_END = '<!-- svc:end -->'
export const TOML_BEGIN = '# svc:begin'
export const TOML_END = '# svc:end'
/** A line by which a skill file is known as svc's. */
export const SKILL_MARK = '<!-- written by svc assistant-init -->'

/** The section of the instructions: how to check, how to bind a task, what never to do. */
export const SECTION = `${SECTION_BEGIN}
## Security checks (svc)

- After an edit: \`svc check-inline --file <path>\`. Before you finish: \`svc gate --git-range main..HEAD\`.
- Before the first edit: \`svc task-bind "<intent>" --path "<glob>"\`; at the end: \`svc task-complete <id>\`.
- \`svc explain <rule>\` says how to fix a finding. Fix the code, not the rule.
- Never suppress a finding, change \`.svc/\`, the baseline or a hook, or approve your own request: ask the user.
${SECTION_END}
`

/** The skill file. */
export const SKILL = `---
name: svc
description: Check code for vulnerabilities, secrets and policy violations with svc before and after changing it.
---
${SKILL_MARK}
# Check code with svc

1. Bind the task: \`svc task-bind "<intent>" --path "<glob>"\`. Stay inside these paths.
2. Edit, then check each file: \`svc check-inline --file <path>\`. Exit code 1 means a finding or a rule that was not evaluated.
3. Read \`svc explain <rule>\`, fix the code, and check again.
4. Before you finish: \`svc gate --git-range main..HEAD\`, then \`svc task-complete <id>\`.

The MCP tools \`check_code_snippet\`, \`scan_file\`, \`explain_rule\`, \`bind_task\` and \`complete_task\` do the same.

Never suppress a finding, edit \`.svc/\`, the baseline or a hook, or approve your own request. Where a finding is wrong, say why and ask the user.
`

/** The table for Codex. */
export const TOML_BLOCK = `${TOML_BEGIN}
[mcp_servers.svc]
command = "svc"
args = ["mcp-server"]
${TOML_END}
`
