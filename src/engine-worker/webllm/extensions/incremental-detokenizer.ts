/** Tokens that may be decoded anew for each new one. */
const LONGEST_WINDOW = 32;

/** Tokens that a new window has in common with the one before it: enough to begin inside a character and to get out of it. */
const OVERLAP = 8;

const REPLACEMENT = '\u{FFFD}';

/** How vocabularies with byte fallback write a token that stands for one byte. */
const BYTE_TOKEN = /^<0x[\dA-F]{2}>$/i;

/** The part of WebLLM's tokenizer that is used or changed here. */
interface DecodingTokenizer {
  decode(ids: Int32Array): string;
  idToToken(id: number): string;
}

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface DecodingPipeline {
  readonly tokenizer?: Partial<DecodingTokenizer>;
  /** Adds a token to the answer. What it gives back is used by resumable generation only, which nothing here asks for. */
  commitSampledStep?(step: SampledStep, config: unknown): unknown;
  commitSampledToken?(id: number, config: unknown, source: unknown): unknown;
}

interface SampledStep {
  readonly tokenId: number;
  readonly source: unknown;
}

/**
 * Makes the text of an answer cost the same for its last token as for its first. For each token WebLLM decodes all
 * tokens of the answer, and then looks for the first character that is new; both take longer with each token.
 *
 * @returns whether WebLLM keeps these things where they are looked for; if not, nothing is changed.
 */
export function decodeIncrementally(pipeline: DecodingPipeline): boolean {
  const { tokenizer } = pipeline;
  const decode = tokenizer?.decode?.bind(tokenizer);
  const idToToken = tokenizer?.idToToken?.bind(tokenizer);
  const commit = pipeline.commitSampledToken?.bind(pipeline);
  if (!tokenizer || !decode || !idToToken || !commit || !pipeline.commitSampledStep) return false;
  const text = new IncrementalDecoder({ decode, idToToken });
  tokenizer.decode = (ids) => text.decode(ids);
  pipeline.commitSampledStep = ({ tokenId, source }, config) => commit(tokenId, config, source);
  return true;
}

/**
 * Decodes a growing list of tokens by its end. The text of the tokens before a cut is settled; those after it are
 * decoded together with some before it, a window, since with many tokenizers a token's text depends on what stands
 * around it.
 */
class IncrementalDecoder {
  readonly #tokenizer: DecodingTokenizer;
  #ids: Int32Array = new Int32Array();
  /** The text before the cut. */
  #settled = '';
  /** Index of the first token of the window. */
  #start = 0;
  /** Characters (UTF-16 code units) of the window's text that lie before the cut. */
  #before = 0;

  constructor(tokenizer: DecodingTokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** The text of all `ids`, always the same as the tokenizer's own. */
  decode(ids: Int32Array): string {
    // For probabilities single tokens are decoded in the middle of an answer.
    if (ids.length < 2) return this.#tokenizer.decode(ids);
    if (!beginsWith(ids, this.#ids)) {
      this.#settled = '';
      this.#start = 0;
      this.#before = 0;
    }
    this.#ids = ids;
    const text = this.#settled + this.#tokenizer.decode(ids.subarray(this.#start)).slice(this.#before);
    if (ids.length - this.#start >= LONGEST_WINDOW) this.#cut(ids, text);
    return text;
  }

  /** Cuts behind the last token, if whatever follows cannot change the text that `ids` have now. */
  #cut(ids: Int32Array, text: string): void {
    const last = ids.at(-1);
    // Bytes in a row are read together: one that does not fit spoils the characters before it.
    if (last === undefined || BYTE_TOKEN.test(this.#tokenizer.idToToken(last))) return;
    const start = ids.length - OVERLAP;
    const window = this.#tokenizer.decode(ids.subarray(start));
    // Without any text in it, a blank that the tokenizer takes from the beginning would be taken from what follows.
    if (window === '' || window.endsWith(REPLACEMENT) || !text.endsWith(window)) return;
    this.#settled = text;
    this.#start = start;
    this.#before = window.length;
  }
}

function beginsWith(ids: Int32Array, beginning: Int32Array): boolean {
  return beginning.length <= ids.length && beginning.every((id, index) => id === ids[index]);
}
