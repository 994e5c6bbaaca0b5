import { href } from '../shell/route.ts'
import { Path } from './path.tsx'

/** A place in a file, which leads to the findings of the file. */
export function Place({ file, line }: { file: string; line?: number }) {
  return (
    <a class="place" href={href('findings', { file, status: 'all' })} title={`Findings in ${file}`}>
      <code>
        <Path path={file} line={line} />
      </code>
    </a>
  )
}

/** A few places, and how many more there are. */
export function Places({
  places,
  most = 3,
  more = 0,
}: {
  places: readonly { file: string; line?: number }[]
  most?: number
  more?: number
}) {
  const rest = places.length - most + more
  return (
    <ul class="places">
      {places.slice(0, most).map(({ file, line }, at) => (
        <li key={at}>
          <Place file={file} line={line} />
        </li>
      ))}
      {rest > 0 && <li class="soft">and {rest} more</li>}
    </ul>
  )
}
