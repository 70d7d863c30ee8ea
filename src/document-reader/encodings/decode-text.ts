import { isIso2022Jp } from '../../shared/documents/is-iso-2022-jp.ts';
import { withoutSequences } from '../terminal-text.ts';
import { decodeBytes } from './decode-bytes.ts';
import { rankEncodings, type RankedEncoding } from './rank-encodings.ts';

/** Maximum bytes that are examined to recognise a Unicode encoding. */
const SAMPLE = 8192;

/** Matches letters of the common scripts that UTF-16 writes without zero bytes, and East Asian punctuation. */
const NOT_LATIN =
  /[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Thai}\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]/gu;

/** Share of control characters above which a file does not count as text. */
const MAX_CONTROLS = 0.02;

/** An encoding counts as certain if its score exceeds those of all others by this much. Otherwise the user is asked. */
const CERTAIN = 8;

/** Encodings whose score is lower than the best by more than this are not offered. */
const OFFERED = 24;
const MAX_OFFERED = 5;

export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  /** Other encodings in which the bytes may be text, too; empty if the encoding is certain. */
  readonly others: readonly string[];
}

/**
 * Decodes UTF-8, UTF-16, ISO-2022-JP or, failing these, the legacy encoding that is most plausible. The bytes may end
 * within a character.
 * @param languages Languages of the browser. A legacy encoding that is common for one of them needs less evidence.
 * Default: none.
 * @param chosen The encoding that the user has chosen.
 * @returns Null if the bytes are not text.
 */
export function decodeText(
  bytes: Uint8Array<ArrayBuffer>,
  languages: readonly string[] = [],
  chosen?: string,
): DecodedText | null {
  const unicode = unicodeOf(bytes);
  if (unicode === null) return null;
  const certain = chosen ?? unicode;
  if (certain !== undefined) {
    const text = decodeBytes(bytes, certain);
    return isText(text) ? { text: tidy(text), encoding: certain, others: [] } : null;
  }
  const ranked = rankEncodings(bytes, languages).filter(({ text }) => isText(text));
  const [best, ...rest] = ranked;
  if (best === undefined) return null;
  const others = short(best, rest[0]) < CERTAIN ? rest.filter((other) => short(best, other) < OFFERED) : [];
  return {
    text: tidy(best.text),
    encoding: best.encoding,
    others: others.slice(0, MAX_OFFERED - 1).map(({ encoding }) => encoding),
  };
}

function short(best: RankedEncoding, other: RankedEncoding | undefined): number {
  return other === undefined ? Infinity : best.score - other.score;
}

function isText(text: string): boolean {
  // The output of a program may consist of little else than control sequences.
  const sample = withoutSequences(text.slice(0, SAMPLE));
  const controls = sample.match(/(?!\s)\p{Cc}/gu)?.length ?? 0;
  const damaged = sample.match(/\ufffd/g)?.length ?? 0;
  // A short text may have one damaged character.
  return controls + Math.max(0, damaged - 1) <= sample.length * MAX_CONTROLS;
}

/** Line ends stay as they are: a lone carriage return may overwrite a line. */
function tidy(text: string): string {
  return text.replaceAll('\0', '');
}

/**
 * Returns the encoding of the bytes if it is Unicode or ISO-2022-JP; undefined if it is another one; null if the bytes
 * are not text.
 */
function unicodeOf(bytes: Uint8Array<ArrayBuffer>): string | null | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]!++;
  const [even = 0, odd = 0] = zeros;
  // Recognises UTF-16 without a byte order mark. In UTF-16, Latin letters have a zero byte at every even or at every
  // odd position. Texts in other scripts have such a byte at least in each space and line feed.
  if (even + odd > sample.length / 5) {
    if (even > 10 * odd) return 'utf-16be';
    if (odd > 10 * even) return 'utf-16le';
  }
  if (even + odd > 0) {
    const found = ['utf-16le', 'utf-16be'].find((encoding) => isPlausible(sample, encoding));
    if (found !== undefined) return found;
  }
  if (even + odd > sample.length * MAX_CONTROLS) return null;
  if (!isUtf8(bytes)) return undefined;
  const text = new TextDecoder().decode(sample);
  return isIso2022Jp(text) ? 'iso-2022-jp' : 'utf-8';
}

/** Whether these bytes are text in another script than the Latin one. */
function isPlausible(sample: Uint8Array<ArrayBuffer>, encoding: string): boolean {
  const text = new TextDecoder(encoding).decode(sample, { stream: true });
  const letters = text.match(NOT_LATIN)?.length ?? 0;
  const ascii = text.match(/[\t\n\r -~]/g)?.length ?? 0;
  return letters > 0 && letters + ascii > 0.9 * text.length;
}

/**
 * Whether the bytes are UTF-8. A few damaged characters among many valid ones still count as UTF-8: in other encodings, at
 * most one character in eight looks valid by chance.
 */
function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  const text = new TextDecoder().decode(bytes, { stream: true });
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  if (damaged === 0) return true;
  const whole = text.match(/(?!\ufffd)[^\0-\x7f]/gu)?.length ?? 0;
  return whole > 4 * damaged;
}
