/** What limits an answer: things that were not looked at, notes. */
export function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <ul class="notes" aria-label="What limits this answer">
      {texts.map(text => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
