/** A cell of a table, and what makes it wrong; null if it is right. */
export interface Cell {
  readonly text: string;
  readonly fault: string | null;
}

/** A table of families and behaviours in Markdown, and its wrong cells. */
export interface FamilyTable {
  readonly markdown: string;
  readonly faults: readonly string[];
}

/** @param rows The cells of each family, by their columns. */
export function familyTable(rows: ReadonlyMap<string, ReadonlyMap<string, Cell>>): FamilyTable {
  const lines = [...rows].map(([name, cells]) => line([name, ...[...cells.values()].map(({ text }) => text)]));
  const columns = ['family', ...[...rows.values()][0]!.keys()];
  const faults = [...rows].flatMap(([name, cells]) =>
    [...cells].flatMap(([column, { fault }]) => (fault === null ? [] : [`${name}, ${column}: ${fault}`])),
  );
  const markdown = [line(columns), `|${' --- |'.repeat(columns.length)}`, ...lines, ''].join('\n');
  return { markdown, faults };
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
