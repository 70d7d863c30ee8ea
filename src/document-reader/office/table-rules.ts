import type { TextBuilder } from '../text-builder.ts';
import type { ElementRule } from '../walk-markup.ts';

/**
 * Returns the rules of tables in Office Open XML, which documents and slides share: `tbl`, `tr` and `tc`.
 * @param begin Called at the beginning of a table.
 */
export function tableRules(out: TextBuilder, begin: () => void = () => {}): Readonly<Record<string, ElementRule>> {
  return {
    tbl: () => {
      begin();
      out.paragraph();
      return () => out.paragraph();
    },
    tr: () => {
      out.startRow();
      return () => out.endRow();
    },
    tc: () => {
      out.startCell();
      return () => out.endCell();
    },
  };
}
