/** A token in a script: text, or bytes that are not text by themselves. */
export type ScriptToken = string | Uint8Array;

const encoder = new TextEncoder();

/** The characters by which byte-level vocabularies represent each byte. */
const LETTERS = byteLetters();

function byteLetters(): readonly string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isItself = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCodePoint(isItself ? byte : next++);
  });
}

/**
 * A simple tokenizer: one token per byte, one per control marker, and the tokens of a script. Encoding uses bytes and
 * markers only.
 */
export class TestTokenizer {
  readonly #tokens: Uint8Array[] = Array.from({ length: 256 }, (_, byte) => new Uint8Array([byte]));
  readonly #ids = new Map<string, number>();
  readonly #markers: readonly string[];

  constructor(markers: readonly string[], vocabulary: readonly ScriptToken[]) {
    this.#markers = markers;
    for (const token of [...markers, ...vocabulary]) this.id(token);
  }

  /** Returns the token's id; adds the token if it is new. */
  id(token: ScriptToken): number {
    const bytes = typeof token === 'string' ? encoder.encode(token) : token;
    const key = bytes.join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (bytes.length === 1) return bytes[0] ?? 0;
    this.#ids.set(key, this.#tokens.length);
    this.#tokens.push(bytes);
    return this.#tokens.length - 1;
  }

  encode(text: string): Int32Array {
    const ids: number[] = [];
    for (let rest = text; rest !== '';) {
      const marker = this.#markers.find((candidate) => rest.startsWith(candidate));
      const piece = marker ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
      ids.push(...(marker === undefined ? encoder.encode(piece) : [this.id(marker)]));
      rest = rest.slice(piece.length);
    }
    return Int32Array.from(ids);
  }

  decode(ids: Iterable<number>): string {
    return this.#text(ids);
  }

  /** Like {@link decode}, even after the adapter has replaced that method. */
  #text(ids: Iterable<number>): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes(ids));
  }

  /** Returns the bytes that the tokens stand for. */
  bytes(ids: Iterable<number>): Uint8Array<ArrayBuffer> {
    return Uint8Array.from([...ids].flatMap((id) => [...(this.#tokens[id] ?? [])]));
  }

  /** Like {@link decode}, with control tokens in guillemets: `«<|end|>»` is one token, `<|end|>` is text. */
  show(ids: readonly number[]): string {
    const isMarker = (id: number) => this.#markers.some((marker) => this.id(marker) === id);
    const runs: { marker: boolean; ids: number[] }[] = [];
    for (const id of ids) {
      const marker = isMarker(id);
      const last = runs.at(-1);
      if (last && !marker && !last.marker) last.ids.push(id);
      else runs.push({ marker, ids: [id] });
    }
    return runs.map((run) => (run.marker ? `«${this.#text(run.ids)}»` : this.#text(run.ids))).join('');
  }

  getVocabSize(): number {
    return this.#tokens.length;
  }

  /**
   * In the notation of byte-fallback vocabularies, which the grammar library reads. Tokens of several bytes that are
   * not text are in the notation of byte-level vocabularies.
   */
  idToToken(id: number): string {
    if (id < 256) return `<0x${id.toString(16).toUpperCase().padStart(2, '0')}>`;
    const text = this.decode([id]);
    if (!text.includes('\u{FFFD}')) return text;
    return Array.from(this.#tokens[id] ?? [], (byte) => LETTERS[byte]).join('');
  }

  dispose(): void {}
}
