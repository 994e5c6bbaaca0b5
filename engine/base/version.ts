import pkg from '../../package.json' with { type: 'json' }

/** The tool's version, from package.json. */
export const VERSION: string = pkg.version
