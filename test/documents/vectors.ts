import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER } from './corpus.ts';
import { DIMENSIONS, embedTexts, type EmbeddingModel } from './embed-texts.ts';

/** Bytes of the hash that stands before each vector in the file. */
const HASH_BYTES = 16;

/** Texts whose vectors are stored together, so that a run that is ended goes on where it was. */
const TEXTS_AT_ONCE = 256;

/** Returns the vector of each text. Those that were computed before are read from a file outside the repository. */
export function vectorsOf(model: EmbeddingModel, texts: readonly string[]): readonly Float32Array[] {
  const path = join(FOLDER, `vectors-${model}.bin`);
  const known = readVectors(path);
  const missing = [...new Set(texts)].filter((text) => !known.has(hashOf(text)));
  for (let start = 0; start < missing.length; start += TEXTS_AT_ONCE) {
    const part = missing.slice(start, start + TEXTS_AT_ONCE);
    const vectors = embedTexts(model, part);
    for (const [index, text] of part.entries()) known.set(hashOf(text), vectors[index]!);
    const entries = part.flatMap((text) => [Buffer.from(hashOf(text), 'hex'), bytesOf(known.get(hashOf(text))!)]);
    appendFileSync(path, Buffer.concat(entries));
    console.log(`${model}: ${start + part.length} of ${missing.length} texts`);
  }
  return texts.map((text) => known.get(hashOf(text))!);
}

function readVectors(path: string): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>();
  if (!existsSync(path)) return known;
  const bytes = readFileSync(path);
  const size = HASH_BYTES + DIMENSIONS * 4;
  for (let at = 0; at + size <= bytes.length; at += size) {
    const vector = Uint8Array.from(bytes.subarray(at + HASH_BYTES, at + size));
    known.set(bytes.toString('hex', at, at + HASH_BYTES), new Float32Array(vector.buffer));
  }
  return known;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function hashOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, HASH_BYTES * 2);
}
