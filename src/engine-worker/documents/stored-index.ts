import type { Passage } from './passages/passage.ts';
import { decodeIndexedFile, encodeIndexedFile } from './search/store-indexed-file.ts';
import type { IndexedFile } from './search/indexed-file.ts';

/** The text of an indexed file, and the passages that are parts of it. */
export interface IndexedText {
  readonly text: string;
  readonly passages: readonly Passage[];
}

/** Encodes as one blob: the length of what is searched, that itself, then the text and the passages as JSON. */
export function encodeIndex(file: IndexedFile, indexed: IndexedText): Blob {
  const searched = encodeIndexedFile(file);
  return new Blob([Uint32Array.of(searched.byteLength), searched, JSON.stringify(indexed)]);
}

/** Bytes that are read at first. They hold all that is searched of a small file, for which each further read takes longer. */
const FIRST_READ = 16_384;

/** Reads what is searched of a blob of {@link encodeIndex}, as {@link decodeIndexedFile} decodes it. */
export async function readSearched(blob: Blob): Promise<ArrayBuffer> {
  const first = await blob.slice(0, FIRST_READ).arrayBuffer();
  if (first.byteLength < 4) return new ArrayBuffer();
  const end = 4 + new Uint32Array(first, 0, 1)[0]!;
  return end <= first.byteLength ? first.slice(4, end) : blob.slice(4, end).arrayBuffer();
}

/** Decodes what is searched of a blob of {@link encodeIndex}; null if another version of this software has written it. */
export async function decodeSearched(blob: Blob): Promise<IndexedFile | null> {
  return decodeIndexedFile(await readSearched(blob));
}

/** Decodes text and passages of a blob of {@link encodeIndex}. */
export async function decodeText(blob: Blob): Promise<IndexedText> {
  return JSON.parse(await blob.slice(await endOfSearched(blob)).text()) as IndexedText;
}

async function endOfSearched(blob: Blob): Promise<number> {
  const [length = 0] = new Uint32Array(await blob.slice(0, 4).arrayBuffer());
  return 4 + length;
}
