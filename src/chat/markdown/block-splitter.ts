import type { Links, Token } from 'marked';
import { lexBlocks } from './markdown-parser.ts';

/**
 * Cuts growing Markdown into top-level blocks, so that only the last one is rendered anew. A block is
 * settled once a later one has begun in a complete line: before the line's end "2" could still become
 * "2. …", the next item of the list before it.
 */
export class BlockSplitter {
  readonly settled: string[] = [];
  /** Text after the settled blocks: what may still change its meaning. */
  open = '';
  /** Link definitions met so far; later blocks may refer to them. */
  readonly links: Links = {};
  #text = '';
  #isFinished = false;

  /**
   * Takes the whole text as it is now.
   * @returns False if it does not begin with the text given before, or was thought to be finished: then
   *   start again with a new splitter.
   */
  update(text: string): boolean {
    const normal = text.replace(/\r\n?/g, '\n');
    if (this.#isFinished) return normal === this.#text;
    if (!normal.startsWith(this.#text)) return false;
    this.open += normal.slice(this.#text.length);
    this.#text = normal;
    const complete = this.open.slice(0, this.open.lastIndexOf('\n') + 1);
    const tokens = lexBlocks(complete, this.links);
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    this.#settle(tokens.slice(0, Math.max(last, 0)));
    return true;
  }

  /** No more text will come: the rest is settled too. */
  finish(): void {
    this.#isFinished = true;
    this.#settle(lexBlocks(this.open, this.links));
    // The lexer invents a line feed after an empty last item; its text is then no part of ours.
    if (this.open.trim() !== '') this.settled.push(this.open);
    this.open = '';
  }

  #settle(tokens: readonly Token[]): void {
    for (const token of tokens) {
      // Cutting at a wrong place would lose text; whatever the lexer changed stays together instead.
      if (!this.open.startsWith(token.raw)) return;
      this.open = this.open.slice(token.raw.length);
      if (token.type === 'space') continue;
      if (token.type === 'def') this.links[token['tag'] as string] ??= { href: token['href'], title: token['title'] };
      this.settled.push(token.raw);
    }
  }
}
