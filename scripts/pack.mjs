// npm run pack [-- linux-x64 …]: makes one tarball a platform, which holds the program with all that it needs there, so that installing
// it downloads nothing else and runs no script. For this machine's platform where none is named; `all` for each. Tarballs of the same
// commit have the same bytes (SOURCE_DATE_EPOCH, else the commit's time). They are written to packed/.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundling.mjs'
import { parsePlatforms, requireBuild } from './pack/platforms.mjs'
import { listPackageFiles, own, writeTarball } from './pack/tarball.mjs'

const platforms = parsePlatforms(process.argv.slice(2).filter(arg => arg !== '--platform'))
requireBuild()
const out = join(root, 'packed')
mkdirSync(out, { recursive: true })
for (const name of platforms) {
  const path = join(out, `${own.name}-${own.version}-${name}.tgz`)
  const files = listPackageFiles(name, { bin: own.bin })
  const { size, unpacked, sha256 } = await writeTarball(path, files)
  console.log(
    `${path}\n  ${formatMb(size)} packed, ${formatMb(unpacked)} unpacked, ${files.length} files, sha256 ${sha256}`,
  )
}

function formatMb(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
