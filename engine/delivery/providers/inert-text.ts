/**
 * Text that no provider takes for a quick action (GitLab runs `/close` at the beginning of a line) and whose names are no mentions (`@name`,
 * `@<id>` of Azure DevOps, `[~name]` of Jira): an invisible space parts the signs. Other text and its lines stay as they are.
 */
export function makeInert(text: string): string {
  return text
    .replace(/^(?=[^\S\r\n\u2028\u2029]*\/)/gm, '\u200B')
    .replace(/@(?=[\w<])/g, '@\u200B')
    .replace(/\[(?=~)/g, '[\u200B')
}
