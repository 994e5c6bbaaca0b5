/** RE2: linear in time whatever a repository writes as an expression. A chunk of its own, loaded where an expression is compiled. */
export { RE2JS } from '@bufbuild/re2'
