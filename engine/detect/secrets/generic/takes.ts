import type { NameSense } from './name.ts'

/** What a function is called that takes a secret. */
const TAKES =
  /^(?:set|with|use|put|add|password|passwd|secret|token|api|key|auth|basic|bearer|new|encrypt|decrypt|hash|verify|check|validate_?pass|generate_password_hash|change|reset|update|login|credential|is|obfuscate|decode|encode|create|make|unlock|connect|client)/i

/** And one that gives a secret, or says something of it. */
const GIVES =
  /^(?:get|find|select|delete|remove|clear|forget|load|read|fetch|is|has|look|parse|prompt|ask|require|request|need|want|missing|gen|random|env|input|log|print|warn|describe|it|test|expect|show|label|translate|t|_|header|cookie|param|query|field|column|build|extract|validate|invalid|to|from|next|peek|match|accept|eat|consume|skip|push|map|format)(?![a-z])/

/** Whether a function of this name takes a secret: `setPassword(`, `Password(`, `dbPassword(`. */
export function takesSecret(name: string, sense: NameSense): boolean {
  const own = name.slice(name.lastIndexOf('.') + 1)
  // `SelectToken("path")`, as C# writes it.
  if (/^[A-Z][a-z]+[A-Z]/.test(own) && GIVES.test(own[0]!.toLowerCase() + own.slice(1))) return false
  // The first of two is the user's name.
  if (/user_?name_?(?:and_?)?pass/i.test(own)) return false
  if (TAKES.test(own) || /(?:^|\.)[A-Z][a-z]/.test(name)) return true
  return sense.last && !sense.other && sense.strength >= 0.8 && !GIVES.test(own)
}
