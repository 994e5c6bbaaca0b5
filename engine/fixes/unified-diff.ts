/** A change of one file's text as `git apply` and `patch -p1` take it; empty where the texts are equal. */
export async function unifiedDiff(path: string, before: string, after: string): Promise<string> {
  if (before === after) return ''
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
}
