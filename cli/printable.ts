/**
 * The text with control characters made visible (`\x1b`), so that a file name or a line of scanned code cannot drive the
 * terminal. Line ends, tabs and the colour sequences that svc itself paints with stay.
 */
export function escapeControls(text: string): string {
  return text.replace(/\x1b\[[\d;]*m|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, found =>
    found.length > 1 ? found : `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
