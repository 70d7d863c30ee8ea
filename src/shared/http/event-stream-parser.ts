/**
 * Splits Server-Sent Events (HTML standard) into blocks, each the lines before a blank line. A block keeps its comments, ids
 * and unknown fields, so that it can be passed on unchanged; parsers that return events drop these.
 */
export class EventStreamParser {
  #rest = '';

  /** Text after the last blank line: a block that is not complete yet. */
  get rest(): string {
    return this.#rest;
  }

  /** Adds text. Returns the blocks that it completes, without the blank line and with line feeds only. */
  push(text: string): string[] {
    const all = (this.#rest + text).replaceAll('\r\n', '\n');
    const end = all.lastIndexOf('\n\n');
    this.#rest = end === -1 ? all : all.slice(end + 2);
    return end === -1 ? [] : all.slice(0, end).split('\n\n');
  }
}

/** The values of one field of a block, such as `data`, in order. */
export function fieldValues(block: string, field: string): string[] {
  return block
    .split('\n')
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
}
