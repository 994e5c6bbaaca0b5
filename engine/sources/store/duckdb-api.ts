// The package is CommonJS. Bundled, a dynamic import of it has a default export only; a static import of this name works
// in the bundle as in the sources, so the lazy import is of this file.
export { DuckDBInstance } from '@duckdb/node-api'
