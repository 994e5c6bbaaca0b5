/** What a snippet shows: the code, its first line's number, and the columns of what was found where that is one line. */
interface Found {
  snippet: string
  line: number
  column: number
  end_line: number
  end_column: number
}

/** Code with its line numbers; where it is one line, what was matched is marked. */
export function Snippet({ snippet, line, column, end_line, end_column }: Found) {
  const lines = snippet.replace(/\n$/, '').split('\n')
  const single = lines.length === 1 && line === end_line
  return (
    <pre class="code" tabIndex={0} aria-label="The code" role="region">
      {lines.map((text, at) => (
        <span key={at} class="row">
          <i aria-hidden="true">{line + at}</i>
          <code>
            {single ? (
              <>
                {text.slice(0, column - 1)}
                <mark>{text.slice(column - 1, end_column - 1)}</mark>
                {text.slice(end_column - 1)}
              </>
            ) : (
              text
            )}
          </code>
        </span>
      ))}
    </pre>
  )
}
