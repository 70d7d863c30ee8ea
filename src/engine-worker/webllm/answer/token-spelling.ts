import type { PipelineTokenizer } from '../pipeline/webllm-pipeline.ts';

const REPLACEMENT = '\u{FFFD}';

/** Matches a token that stands for one byte, as vocabularies with byte fallback write it. */
const BYTE_TOKEN = /^<0x([\dA-F]{2})>$/i;

/** A token in the form of the API. */
export interface TokenSpelling {
  /** The token's text. Bytes that are not a whole character are written as `\xf0`, as in OpenAI's API. */
  readonly token: string;
  readonly bytes: readonly number[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Determines the bytes that each token of a vocabulary stands for. The result is cached per token. */
export class TokenSpellings {
  readonly #tokenizer: Pick<PipelineTokenizer, 'decode' | 'idToToken'>;
  readonly #known = new Map<number, TokenSpelling>();

  constructor(tokenizer: Pick<PipelineTokenizer, 'decode' | 'idToToken'>) {
    this.#tokenizer = tokenizer;
  }

  of(id: number): TokenSpelling {
    let spelling = this.#known.get(id);
    if (spelling === undefined) this.#known.set(id, (spelling = this.#spell(id)));
    return spelling;
  }

  #spell(id: number): TokenSpelling {
    const text = this.#tokenizer.decode(Int32Array.of(id));
    // The tokenizer decodes a part of a character to U+FFFD; the vocabulary's spelling says which bytes the part has.
    const bytes = text.includes(REPLACEMENT) ? vocabularyBytes(this.#tokenizer.idToToken(id)) : null;
    return bytes === null ? spellingOf(text) : { token: escaped(bytes), bytes };
  }
}

/** Returns the spelling of a text that consists of whole characters. */
export function spellingOf(token: string): TokenSpelling {
  return { token, bytes: [...encoder.encode(token)] };
}

/** Whether the bytes consist of whole characters. */
export function isWhole(bytes: readonly number[]): boolean {
  const text = decoder.decode(Uint8Array.from(bytes));
  return encoder.encode(text).join() === bytes.join();
}

/** Counts the characters U+FFFD that are encoded in the bytes. Invalid bytes do not count. */
export function countReplacements(bytes: readonly number[]): number {
  let count = 0;
  for (let index = 2; index < bytes.length; index++)
    if (bytes[index - 2] === 0xef && bytes[index - 1] === 0xbf && bytes[index] === 0xbd) count++;
  return count;
}

/**
 * Returns the bytes of a token from its spelling in the vocabulary; null if the vocabulary uses neither byte fallback
 * nor GPT-2's letters for bytes.
 */
function vocabularyBytes(spelled: string): number[] | null {
  const byte = BYTE_TOKEN.exec(spelled)?.[1];
  if (byte !== undefined) return [Number.parseInt(byte, 16)];
  const bytes = [...spelled].map((letter) => BYTE_OF_LETTER.get(letter));
  return bytes.every((value) => value !== undefined) ? bytes : null;
}

/**
 * The letters by which byte-level vocabularies write bytes: a printable byte of Latin-1 stands for itself, each other
 * byte for the next letter from U+0100 on. Source: `bytes_to_unicode` in GPT-2's `encoder.py`.
 */
const BYTE_OF_LETTER: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => byte).map((byte, _, all) => {
    const others = all.filter((other) => other < byte && !isPrintable(other)).length;
    return [String.fromCodePoint(isPrintable(byte) ? byte : 256 + others), byte];
  }),
);

function isPrintable(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
}

function escaped(bytes: readonly number[]): string {
  let text = '';
  for (let index = 0; index < bytes.length;) {
    const length = characterLength(bytes, index);
    if (length === 0) text += `\\x${bytes[index]!.toString(16).padStart(2, '0')}`;
    else text += decoder.decode(Uint8Array.from(bytes.slice(index, index + length)));
    index += Math.max(length, 1);
  }
  return text;
}

/** Returns the number of bytes of the character that begins at `index`; 0 if none begins there. */
function characterLength(bytes: readonly number[], index: number): number {
  for (let length = 1; length <= 4 && index + length <= bytes.length; length++)
    if (isWhole(bytes.slice(index, index + length))) return length;
  return 0;
}
