/** A row's text that unfolds to what is known of it; facts without a text are left out. */
export function Unfold({
  title,
  id,
  under,
  facts,
}: {
  title: string
  id: string
  under: string
  facts: Readonly<Record<string, string>>
}) {
  return (
    <details class="wide-cell">
      <summary>
        {title}
        <span class="under">
          <code>{id}</code> {under}
        </span>
      </summary>
      <dl class="told">
        {Object.entries(facts).map(
          ([name, text]) =>
            text && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
      </dl>
    </details>
  )
}
