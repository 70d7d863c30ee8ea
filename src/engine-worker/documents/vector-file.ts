import { ApiError } from '../../shared/api-error.ts';
import { sha256 } from '../../shared/keys/sha256.ts';
import { keyOf, splitInSteps } from './build-index.ts';
import type { EmbedTexts } from './embed-texts.ts';
import { passageText, type Passage, type PassageLimits } from './passages/passage.ts';
import { addSimilarities, quantise, type Quantised } from './search/quantise.ts';
import type { IndexedFile } from './search/indexed-file.ts';
import { encodeIndex, type IndexedText } from './stored-index.ts';

/**
 * By how much the cosine similarity may differ from 1 of the vectors that a model computes of the same text on two
 * devices. Rounding differs between graphics cards, and vectors are stored in 8 bits; those of other models are far apart.
 */
const MOST_DIFFERENCE = 0.02;

interface Header {
  /** Identifies the model, the passages and their text. */
  readonly key: string;
  readonly dimensions: number;
  readonly count: number;
}

interface StoreModel {
  readonly model: string;
  readonly site: string;
}

/** Encodes the vectors of an indexed file, to be carried to another vector store: length and JSON of a header, numbers. */
export async function encodeVectors(
  { model }: Pick<StoreModel, 'model'>,
  { count, dimensions, vectors, scales }: IndexedFile,
  { text, passages }: IndexedText,
): Promise<Blob> {
  const header = JSON.stringify({ key: await keyWith(text, model, passages), dimensions, count } satisfies Header);
  return new Blob([Uint32Array.of(header.length), header, new Int8Array(vectors), new Float32Array(scales)]);
}

/** Whether a file begins as one of {@link encodeVectors}. */
export async function isVectorFile(file: Blob): Promise<boolean> {
  return (await readHeader(file)) !== null;
}

/**
 * Returns the index of a text whose vectors {@link encodeVectors} has encoded, without computing them.
 * @throws ApiError `invalid_value` if the vectors are damaged, of another text, or of another model.
 */
export async function indexWithVectors(
  text: string,
  carried: Blob,
  { limits, model, site, embed }: StoreModel & { readonly limits: PassageLimits; readonly embed: EmbedTexts },
): Promise<{ readonly index: Blob; readonly passages: number }> {
  const { passages, words } = await splitInSteps(text, limits);
  const quantised = await decodeVectors(carried, await keyWith(text, model, passages), passages.length);
  const [first] = passages;
  if (quantised === null || first === undefined) throw vectorsRefused();
  // Two models may have the same name. One passage tells them apart.
  const [vector] = await embed([passageText(text, first)], { model, site, isBackground: false });
  if (vector === undefined || Math.abs(1 - similarityOfFirst(vector, quantised)) > MOST_DIFFERENCE)
    throw vectorsRefused();
  return { index: encodeIndex(words.indexed(quantised), { text, passages }), passages: passages.length };
}

async function decodeVectors(carried: Blob, key: string, count: number): Promise<Quantised | null> {
  const read = await readHeader(carried);
  if (read === null || read.header.key !== key || read.header.count !== count) return null;
  const {
    header: { dimensions },
    start,
  } = read;
  const end = start + count * dimensions;
  if (!(dimensions > 0) || carried.size !== end + 4 * count) return null;
  const vectors = new Int8Array(await carried.slice(start, end).arrayBuffer());
  const scales = new Float32Array(await carried.slice(end).arrayBuffer());
  // A number that is none would have no place in the order of results.
  return scales.every((scale) => scale >= 0 && scale < Infinity) ? { dimensions, vectors, scales } : null;
}

async function keyWith(text: string, model: string, passages: readonly Passage[]): Promise<string> {
  return `${await keyOf(model, passages)} ${await sha256(text)}`;
}

/** Longest header in bytes. */
const MAX_HEADER = 1000;

/** Reads the header, and where the numbers begin; null if the file has none. */
async function readHeader(file: Blob): Promise<{ readonly header: Header; readonly start: number } | null> {
  if (file.size < 4) return null;
  const [length = 0] = new Uint32Array(await file.slice(0, 4).arrayBuffer());
  if (length > MAX_HEADER) return null;
  const start = 4 + length;
  try {
    const header = JSON.parse(await file.slice(4, start).text()) as Partial<Header> | null;
    return typeof header?.key === 'string' ? { header: header as Header, start } : null;
  } catch {
    return null;
  }
}

function similarityOfFirst(vector: Float32Array, { dimensions, vectors, scales }: Quantised): number {
  if (vector.length !== dimensions) return 0;
  const similarity = new Float32Array(1);
  const first = { dimensions, vectors: vectors.subarray(0, dimensions), scales: scales.subarray(0, 1) };
  addSimilarities(quantise([vector]), first, similarity, 0);
  return similarity[0]!;
}

export function vectorsRefused(): ApiError {
  const sentence =
    'The vectors are damaged, or belong to another text, another way of splitting it, or another embedding model. Add the file without them: it is indexed again.';
  return new ApiError('invalid_value', sentence, { param: 'vectors_file_id' });
}
