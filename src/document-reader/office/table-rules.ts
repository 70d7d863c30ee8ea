import type { TextBuilder } from '../text-builder.ts';
import { attributeOf, type Attributes, type ElementRule } from '../walk-markup.ts';

/** The most columns that a cell of a document covers: as many as Word allows. */
const MOST_COLUMNS = 63;

/**
 * Returns the rules of tables in Office Open XML, which documents and slides share: `tbl`, `tr` and `tc`. Empty cells stand
 * for the columns that a cell of a document covers, which slides write themselves.
 * @param begin Called at the beginning of a table.
 */
export function tableRules(out: TextBuilder, begin: () => void = () => {}): Readonly<Record<string, ElementRule>> {
  /** For each open cell, how many columns it covers. */
  const open: { columns: number }[] = [];
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
    gridBefore: (attributes) => out.emptyCells(columnsOf(attributes)),
    tc: () => {
      open.push({ columns: 1 });
      out.startCell();
      return () => {
        out.endCell();
        out.emptyCells(open.pop()!.columns - 1);
      };
    },
    gridSpan: (attributes) => void Object.assign(open.at(-1) ?? {}, { columns: columnsOf(attributes) }),
  };
}

/** Returns the number of columns that an element states. */
function columnsOf(attributes: Attributes): number {
  return Math.min(Number(attributeOf(attributes, 'val')) || 0, MOST_COLUMNS);
}
