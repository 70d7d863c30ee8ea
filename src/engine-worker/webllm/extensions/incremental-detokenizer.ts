import type { Extension } from '../pipeline/extension.ts';
import type { PipelineTokenizer } from '../pipeline/webllm-pipeline.ts';

/** Tokens that may be detokenized again for each new one. */
const LONGEST_WINDOW = 32;

/** Tokens that a new window shares with the one before it: enough to begin inside a character and to leave it. */
const OVERLAP = 8;

const REPLACEMENT = '\u{FFFD}';

/** How vocabularies with byte fallback write a token that stands for one byte. */
const BYTE_TOKEN = /^<0x[\dA-F]{2}>$/i;

/**
 * Makes the last token of an answer cost as much as its first. For each token WebLLM detokenizes the whole answer, and then
 * searches for the first new character.
 */
export const INCREMENTAL_DETOKENIZER: Extension<'incremental-detokenizer', null> = {
  name: 'incremental-detokenizer',
  needs: ['tokenizer.decode', 'tokenizer.idToToken', 'commitSampledStep', 'commitSampledToken'],
  replaces: ['tokenizer.decode', 'commitSampledStep'],
  gain: 'At 1,000 tokens 0.04 instead of 0.8 ms a token (SmolLM2, processor time of an EPYC).',
  apply: (pipeline) => ({
    handle: null,
    layers: {
      'tokenizer.decode'(next) {
        const idToToken = pipeline.tokenizer.idToToken.bind(pipeline.tokenizer);
        const decoder = new IncrementalDecoder({ decode: next, idToToken });
        return (ids) => decoder.decode(ids);
      },
      // WebLLM's own searches for the new characters. Its result serves resumable generation, which the adapter never asks for.
      commitSampledStep:
        () =>
        ({ tokenId, source }, config) =>
          pipeline.commitSampledToken(tokenId, config, source),
    },
  }),
};

/**
 * Decodes a growing list of tokens by its end. The text of the tokens before a cut is settled; those after it are
 * decoded together with some before it, a window, since with many tokenizers a token's text depends on what stands
 * around it.
 */
class IncrementalDecoder {
  readonly #tokenizer: Pick<PipelineTokenizer, 'decode' | 'idToToken'>;
  #ids: Int32Array = new Int32Array();
  /** The text before the cut. */
  #settled = '';
  /** Index of the first token of the window. */
  #start = 0;
  /** Characters (UTF-16 code units) of the window's text that lie before the cut. */
  #before = 0;

  constructor(tokenizer: Pick<PipelineTokenizer, 'decode' | 'idToToken'>) {
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
    // The tokenizer decodes consecutive byte tokens as one UTF-8 sequence, and an invalid byte turns the characters before it
    // into U+FFFD. So their text is not final while another byte may follow.
    if (last === undefined || BYTE_TOKEN.test(this.#tokenizer.idToToken(last))) return;
    const start = ids.length - OVERLAP;
    const window = this.#tokenizer.decode(ids.subarray(start));
    // The tokenizer drops a leading blank. If the window had no text, it would drop the blank of the next token instead.
    if (window === '' || window.endsWith(REPLACEMENT) || !text.endsWith(window)) return;
    this.#settled = text;
    this.#start = start;
    this.#before = window.length;
  }
}

function beginsWith(ids: Int32Array, beginning: Int32Array): boolean {
  return beginning.length <= ids.length && beginning.every((id, index) => id === ids[index]);
}
