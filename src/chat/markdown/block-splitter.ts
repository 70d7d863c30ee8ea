import type { Token } from 'marked';
import { lexBlocks } from './markdown-parser.ts';
import { noDefinitions } from './syntax/bounded-lexer.ts';
import { definitionsIn, type Definition } from './syntax/link-definition-syntax.ts';

/**
 * Splits growing Markdown into top-level blocks, so that only the last block is rendered again. A block is settled only
 * when a complete line begins another block, because an incomplete line such as "2" may become the list item "2. …".
 */
export class BlockSplitter {
  readonly settled: string[] = [];
  /** The text after the settled blocks. More text may change its structure. */
  open = '';
  /** Those so far; later blocks may refer to them. */
  readonly definitions = noDefinitions();
  /** The places of settled blocks by the names in brackets in them. */
  #named = new Map<string, number[]>();
  /** The places of settled blocks with the name of an address that was defined after them. */
  #late = new Set<number>();
  #text = '';
  #isFinished = false;

  /**
   * Splits the whole text so far.
   * @returns False if the text does not continue the previous one or, after {@link finish}, differs from it. The caller
   * then needs a new splitter.
   */
  update(text: string): boolean {
    const normal = text.replace(/\r\n?/g, '\n');
    if (this.#isFinished) return normal === this.#text;
    if (!normal.startsWith(this.#text)) return false;
    this.open += normal.slice(this.#text.length);
    this.#text = normal;
    const complete = this.open.slice(0, this.open.lastIndexOf('\n') + 1);
    const tokens = lexBlocks(complete, this.definitions, false);
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    this.#settle(tokens.slice(0, Math.max(last, 0)));
    return true;
  }

  /** Returns the places of the blocks in which later text has made names to links, since the last call. */
  takeLate(): readonly number[] {
    const late = [...this.#late];
    this.#late.clear();
    return late;
  }

  finish(): void {
    this.#isFinished = true;
    this.#settle(lexBlocks(this.open, this.definitions, true));
    // Text remains if the `raw` of Marked's last token differs from the source: after an empty last list item Marked
    // adds a line feed. No more text follows, so the rest is a settled block.
    if (this.open.trim() !== '') this.settled.push(this.open);
    this.open = '';
  }

  #settle(tokens: readonly Token[]): void {
    for (const token of tokens) {
      // If a token differs from the text, cutting it off would lose text. So the rest stays one block.
      if (!this.open.startsWith(token.raw)) return;
      this.open = this.open.slice(token.raw.length);
      if (token.type === 'space') continue;
      for (const definition of definitionsIn(token)) this.#define(definition);
      for (const name of namesIn(token.raw)) {
        const places = this.#named.get(name);
        if (places === undefined) this.#named.set(name, [this.settled.length]);
        else places.push(this.settled.length);
      }
      this.settled.push(token.raw);
    }
  }
  #define({ tag, href, title }: Definition): void {
    if (this.definitions.links[tag] !== undefined) return;
    this.definitions.links[tag] = { href, title };
    for (const place of this.#named.get(tag) ?? []) this.#late.add(place);
  }
}

/** Returns what stands in brackets in a text, in the form that Marked gives names of addresses. */
function namesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/\[([^[\]]+)\]/g), ([, name = '']) => name.toLowerCase().replace(/\s+/g, ' '));
}
