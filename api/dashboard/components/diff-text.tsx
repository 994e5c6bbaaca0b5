const TONES: Record<string, string> = { '+': 'come', '-': 'gone' }

/** A unified diff, its lines colored by what they do. */
export function DiffText({ text, label }: { text: string; label: string }) {
  return (
    <pre class="code diff" tabIndex={0} role="region" aria-label={label}>
      {text
        .replace(/\n$/, '')
        .split('\n')
        .map((line, at) => (
          <span key={at} class={`row ${/^(\+\+\+|---) /.test(line) ? '' : (TONES[line[0] ?? ''] ?? '')}`}>
            <code>{line}</code>
          </span>
        ))}
    </pre>
  )
}
