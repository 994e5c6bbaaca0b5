import { openApiDocument } from './document.js'

const place = document.getElementById('reference')
const spec = await openApiDocument(place)
// Search runs in a worker made of a blob, which the page's policy does not allow; the browser's own search does.
globalThis.Redoc.init(spec, { disableSearch: true, hideDownloadButton: false, expandResponses: '200' }, place)
