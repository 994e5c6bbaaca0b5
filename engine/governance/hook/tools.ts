/** What a tool does, as far as its name tells. */
export type Effect = 'reads' | 'writes' | 'runs' | 'unknown'

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(folded))

/** Tools of the common agents that write nothing in the repository, or only the agent's own notes of what it is about to do. */
const READERS = words(`
  Read ReadFile ReadManyFiles NotebookRead Glob Grep LS ListDir ListDirectory ListFiles View ViewImage Rg
  WebFetch WebSearch GoogleWebSearch SearchFileContent GrepSearch GrepFiles FileSearch CodebaseSearch SemanticSearch
  FetchRules ReadLints GetErrors GetDiagnostics GetInternalDocs ToolSearch
  TodoWrite TodoRead WriteTodos UpdateTodo UpdatePlan TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop Task
  Agent Skill ActivateSkill AskUser AskUserQuestion AskFollowupQuestion EnterPlanMode ExitPlanMode ReportIntent Think
  BashOutput KillBash KillShell ReadBash StopBash ListMcpResources ListMcpResourcesTool ReadMcpResource
  ReadMcpResourceTool FetchCopilotCliDocumentation SearchCodeSubagent AttemptCompletion
`)

const WRITE_WORDS =
  /write|edit|replace|create|patch|delete|remove|move|rename|insert|update|save|append|apply|upload|download|truncate|scaffold|\b(copy|export|import|format|commit|merge|checkout|reset|generate|make|mkdir|set|store|put)\b/
const RUN_WORDS =
  /shell|command|exec|terminal|bash|stdin|\b(eval|evaluate|process|scripts?|spawn|repl|run|sh|cmd|code)\b/
const READ_WORDS =
  /^(read|view|cat|open|grep|glob|ls|list|search|find|fetch|web|think|ask|codebase|get|show|describe|query|lookup|count|check|status|help)$/

/**
 * What a tool does by its name, by its event where that tells more, or by the action that an editor for all purposes is
 * asked for. A word of writing decides over one of reading, and what says neither is unknown.
 */
export function classifyEffect(tool: string, event: string, action?: string): Effect {
  if (action !== undefined) return action === 'view' ? 'reads' : 'writes'
  const name = tool.replace(/^mcp__.*__/, '')
  const spoken = spaced(name)
  if (/read/i.test(event) && !/tool/i.test(event)) return 'reads'
  if (name === tool && READERS.has(folded(name))) return 'reads'
  if (RUN_WORDS.test(spoken) || /shell|command/i.test(event)) return 'runs'
  if (WRITE_WORDS.test(spoken) || WRITE_WORDS.test(spaced(event))) return 'writes'
  return READ_WORDS.test(spoken.split(' ')[0]!) || /read$/.test(spoken) ? 'reads' : 'unknown'
}

/** `readFileAtOnce` and `read_file` as words. */
function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
}
