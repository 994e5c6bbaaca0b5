// Makes svc-<version>.vsix without a network: the extension in one file, its manifest, and what the format asks for beside them
// (Open Packaging Conventions: a ZIP with [Content_Types].xml, and extension.vsixmanifest).
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { zipSync } from 'fflate'

const here = dirname(fileURLToPath(import.meta.url))
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const target = process.argv[2] ?? join(here, `${manifest.name}-${manifest.version}.vsix`)

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: ['extension.ts'],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  external: ['vscode'],
  // VS Code answers require, not import.
  supported: { 'dynamic-import': false },
  legalComments: 'inline',
  write: false,
  logLevel: 'warning',
})

const escapeXml = text => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
const { name, displayName, description, version, publisher, categories, engines } = manifest
const vsixmanifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Categories>${escapeXml(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escapeXml(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".txt" ContentType="text/plain"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
`
// What starts the build has no place in what is installed.
const { scripts: _, ...installed } = manifest
const text = value => Buffer.from(value, 'utf8')
const files = {
  '[Content_Types].xml': text(types),
  'extension.vsixmanifest': text(vsixmanifest),
  'extension/package.json': text(`${JSON.stringify(installed, null, 2)}\n`),
  'extension/extension.js': outputFiles[0].contents,
  'extension/LICENSE.txt': readFileSync(join(here, '../../LICENSE')),
}
// The same bytes for the same sources.
writeFileSync(target, zipSync(files, { mtime: '1980-01-02T00:00:00Z', level: 9 }))
console.log(target)
