/**
 * Splits Server-Sent Events (HTML standard) into blocks; a block is the lines before a blank line. A block keeps its
 * comments, ids and unknown fields, so that it can be forwarded unchanged. Libraries that parse events drop these.
 */
export class EventStreamParser {
  /**
   * Chunks since the last blank line. They are joined only once, because joining at every chunk would take quadratic
   * time for a long line.
   */
  #pending: string[] = [];
  /** End of the previous chunk, because a blank line may be split between two chunks. */
  #tail = '';
  /** Whether the previous chunk ended in a carriage return, which may be the first half of a line end. */
  #endsInReturn = false;

  /** Text after the last blank line: an incomplete block. */
  get rest(): string {
    return this.#pending.join('');
  }

  /** Length of {@link rest} in characters, so that a caller can limit what a server sends. */
  get restLength(): number {
    return this.#pending.reduce((sum, { length }) => sum + length, 0);
  }

  /** Adds text. Returns the blocks that it completes, without the blank line and with line feeds only. */
  push(text: string): string[] {
    const more = this.#endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endsInReturn = text.endsWith('\r');
    const lines = more.replace(/\r\n?/g, '\n');
    this.#pending.push(lines);
    const seam = this.#tail + lines;
    this.#tail = seam.slice(-1);
    if (!seam.includes('\n\n')) return [];
    const all = this.rest;
    const end = all.lastIndexOf('\n\n');
    const rest = all.slice(end + 2);
    this.#pending = [rest];
    this.#tail = rest.slice(-1);
    return all.slice(0, end).split('\n\n');
  }
}

/** Returns the values of one field of a block, such as `data`, in order. */
export function fieldValues(block: string, field: string): string[] {
  return block
    .split('\n')
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
}
