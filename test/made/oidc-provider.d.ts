/** As much of oidc-provider as the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener } from 'node:http'

  export interface Exchange {
    path: string
    status: number
    body: unknown
    req: IncomingMessage
    request: { type: string }
    oidc?: { params?: Record<string, string | undefined> }
    set(name: string, value: string): void
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    use(middleware: (exchange: Exchange, next: () => Promise<void>) => Promise<void>): void
    callback(): RequestListener
    AccessToken: { find(token: string): Promise<unknown> }
    RefreshToken: { find(token: string): Promise<unknown> }
  }

  export const errors: { SlowDown: new (description: string) => Error }
}
