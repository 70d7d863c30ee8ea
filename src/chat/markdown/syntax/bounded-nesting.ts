/**
 * Maximum depth of nested quotations, lists, footnotes and details; deeper markers are shown as text. Marked is
 * recursive, so thousands of `>` from a model that repeats itself would overflow the stack. Its work also doubles with
 * each level of a quotation that continues with a line without `>`.
 */
const MAX_DEPTH = 12;

let depth = 0;

/** Limits how deep the blocks that a tokenizer of Marked nests may be; at the limit it finds no block. */
export function boundedNesting<Context, Block>(tokenize: (this: Context, text: string) => Block) {
  return function (this: Context, text: string): Block | undefined {
    if (depth >= MAX_DEPTH) return undefined;
    depth += 1;
    try {
      return tokenize.call(this, text);
    } finally {
      depth -= 1;
    }
  };
}
