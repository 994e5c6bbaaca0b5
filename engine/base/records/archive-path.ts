/**
 * The files of the repository that a finding's file may be: itself, and for one in an archive (`a.zip!b.txt`) what stands before
 * each exclamation mark, since other names have some too.
 */
export function listContainers(file: string): string[] {
  const found = [file]
  for (let at = file.indexOf('!'); at !== -1; at = file.indexOf('!', at + 1)) found.push(file.slice(0, at))
  return found
}
