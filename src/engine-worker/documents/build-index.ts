import { sha256 } from '../../shared/keys/sha256.ts';
import { sleep } from '../../shared/timeout.ts';
import type { EmbedTexts } from './embed-texts.ts';
import { restoreRows, type Checkpoints } from './checkpoints.ts';
import { passageText, type Passage, type PassageLimits } from './passages/passage.ts';
import { splitPassages } from './passages/split-passages.ts';
import { PassageWords } from './search/indexed-file.ts';
import { encodeIndex } from './stored-index.ts';
import { VectorRows } from './vector-rows.ts';

/** Texts of one request to the embedding model. Few, so that a chat waits only shortly for its turn. */
const BATCH_SIZE = 8;

/**
 * After this many vectors the new ones are stored, so that an interrupted indexing can go on: the larger of a number and a
 * share of all vectors so far, so that a large file has not many checkpoints.
 */
const CHECKPOINT = { vectors: 256, share: 1 / 16 };

/** Passages that are split without letting other tasks of this thread run, such as a chat. */
const SPLIT_AT_ONCE = 50;

export interface IndexOptions {
  readonly limits: PassageLimits;
  readonly model: string;
  /** Root address of the site whose models are used. */
  readonly site: string;
  readonly embed: EmbedTexts;
  /** Throws if the file need not be indexed any longer. Called before each request to the model. */
  readonly check: () => Promise<void>;
  /** Called with the number of vectors that are computed, and of all passages. */
  readonly onProgress?: (done: number, total: number) => void;
  /** The checkpoints of an interrupted indexing. */
  readonly checkpoints: Checkpoints;
  readonly saveCheckpoint: (name: string, checkpoint: Blob) => Promise<void>;
}

/**
 * Splits a text into passages, computes their vectors and returns the index of both.
 * @throws ApiError of the embedding model; errors of `check` and `saveCheckpoint`.
 */
export async function buildIndex(text: string, options: IndexOptions): Promise<Blob> {
  const { limits, model, site, embed, check, onProgress, checkpoints, saveCheckpoint } = options;
  const { passages, words } = await splitInSteps(text, limits);
  const key = await keyOf(model, passages);
  const rows = new VectorRows(passages.length);
  let name = await restoreRows(rows, checkpoints, key);
  let saved = rows.count;
  onProgress?.(rows.count, passages.length);
  while (rows.count < passages.length) {
    await check();
    const next = passages.slice(rows.count, rows.count + BATCH_SIZE).map((passage) => passageText(text, passage));
    rows.add(await embed(next, { model, site, isBackground: true }));
    onProgress?.(rows.count, passages.length);
    const isDue = rows.count - saved >= Math.max(CHECKPOINT.vectors, rows.count * CHECKPOINT.share);
    if (!isDue || rows.count === passages.length) continue;
    await saveCheckpoint(name, rows.encode(key, saved));
    saved = rows.count;
    name = checkpoints.names.next().value;
  }
  return encodeIndex(words.indexed(rows.quantised), { text, passages });
}

/** Splits a text into passages and reads their words, with pauses for other tasks of this thread. */
export async function splitInSteps(
  text: string,
  limits: PassageLimits,
): Promise<{ readonly passages: readonly Passage[]; readonly words: PassageWords }> {
  const passages: Passage[] = [];
  const words = new PassageWords();
  for (const passage of splitPassages(text, limits)) {
    words.add(passageText(text, passage));
    if (passages.push(passage) % SPLIT_AT_ONCE === 0) await sleep(0);
  }
  return { passages, words };
}

/** Identifies the model and the passages of vectors. */
export function keyOf(model: string, passages: readonly Passage[]): Promise<string> {
  return sha256(JSON.stringify([model, passages]));
}
