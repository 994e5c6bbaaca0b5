import type { Argument, Expression, FunctionForm, Statement } from '../ir.ts'
import type { Syntax, SyntaxTable } from './syntax.ts'

/** Whether a node holds statements, in braces or by their indentation. */
export function isBlock({ kind }: Syntax): boolean {
  return /^(?:block|compound_statement|statement_block|declaration_list)$/.test(kind)
}

/** A file of any language, as the rows that all share see it. */
export type AnyFile = Pick<LoweredFile, keyof LoweredFile>

/**
 * A file that is lowered. A language has a table of its expressions and one of its statements, most rows of which are in `expression-rows.ts`
 * and `statement-rows.ts`, and a class that extends this one: what is known of the file, what declares functions and classes, and where the
 * language differs from what those rows expect.
 */
export abstract class LoweredFile {
  protected abstract readonly expressions: SyntaxTable<this, Expression>
  protected abstract readonly statements: SyntaxTable<this, Statement[]>

  /** A function that is a value, or that stands within another one. */
  abstract function(node: Syntax): FunctionForm

  expression(node: Syntax): Expression {
    return this.expressions(node.kind)(this, node)
  }

  statement(node: Syntax): Statement[] {
    return this.statements(node.kind)(this, node)
  }

  /** What a choice or a loop depends on. */
  condition(node: Syntax): Expression {
    return this.expression(node)
  }

  /** The statements that stand in a node, whatever it is. */
  block(node: Syntax | undefined): Statement[] {
    return node ? node.parts.flatMap(part => this.statement(part)) : []
  }

  /** The statements of a branch or a loop: those of a block, or the only one, and both behind an `else`. */
  body(node: Syntax | undefined): Statement[] {
    if (!node) return []
    if (isBlock(node)) return this.block(node)
    return node.kind === 'else_clause' ? node.parts.flatMap(part => this.body(part)) : this.statement(node)
  }

  /** The statements of the blocks in a clause, such as `finally`. */
  blocks(clause: Syntax): Statement[] {
    return clause.parts.flatMap(part => (isBlock(part) ? this.block(part) : []))
  }

  /** What is handed over in a call, or stands in a list. */
  argument(node: Syntax): Argument {
    return { value: this.expression(node) }
  }

  args(list: Syntax | undefined): Argument[] {
    return list ? list.parts.map(part => this.argument(part)) : []
  }

  /** The name of a type, as the analysis compares it; undefined where it says nothing. */
  type(node: Syntax | undefined): string | undefined {
    return node?.text
  }
}
