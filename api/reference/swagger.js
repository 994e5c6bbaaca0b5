import { openApiDocument, writeHeaders } from './document.js'

const place = document.getElementById('reference')
const spec = await openApiDocument(place)
globalThis.SwaggerUIBundle({
  spec,
  domNode: place,
  deepLinking: true,
  // The default sends the document to a validator on the network.
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  requestInterceptor: async request => {
    Object.assign(request.headers, await writeHeaders(request.method ?? 'GET'))
    return request
  },
})
