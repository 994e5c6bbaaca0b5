import { Fragment } from 'preact'

/** A path that may break after its slashes, with a line where one is meant. */
export function Path({ path, line }: { path: string; line?: number }) {
  return (
    <>
      {path.split('/').map((part, at) => (
        <Fragment key={at}>
          {at > 0 && '/'}
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
      {line !== undefined && <b>:{line}</b>}
    </>
  )
}
