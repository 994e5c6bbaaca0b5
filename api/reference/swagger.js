import { keyHeaders, openApiDocument } from './document.js'

const place = document.getElementById('reference')
const spec = await openApiDocument(place)
globalThis.SwaggerUIBundle({
  spec,
  domNode: place,
  deepLinking: true,
  // The default sends the document to a validator on the network.
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  requestInterceptor: request => {
    Object.assign(request.headers, keyHeaders())
    return request
  },
})
