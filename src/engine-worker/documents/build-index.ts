import { sha256 } from '../../shared/keys/sha256.ts';
import { sleep } from '../../shared/timeout.ts';
import type { EmbedTexts } from './embed-texts.ts';
import { passageText, type Passage, type PassageLimits } from './passages/passage.ts';
import { splitPassages } from './passages/split-passages.ts';
import { PassageWords } from './search/indexed-file.ts';
import { encodeIndex } from './stored-index.ts';
import { VectorRows } from './vector-rows.ts';

/** Texts of one request to the embedding model. Few, so that a chat waits only shortly for its turn. */
const BATCH_SIZE = 8;

/** After this many vectors they are stored, so that an interrupted indexing can go on. */
const CHECKPOINT = 256;

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
  /** The last checkpoint of an interrupted indexing. Null: none. */
  readonly checkpoint: Blob | null;
  /** Stores a checkpoint in place of the last one. */
  readonly saveCheckpoint: (checkpoint: Blob) => Promise<void>;
}

/**
 * Splits a text into passages, computes their vectors and returns the index of both.
 * @throws ApiError of the embedding model; errors of `check` and `saveCheckpoint`.
 */
export async function buildIndex(text: string, options: IndexOptions): Promise<Blob> {
  const { limits, model, site, embed, check, onProgress, checkpoint, saveCheckpoint } = options;
  const passages: Passage[] = [];
  const words = new PassageWords();
  for (const passage of splitPassages(text, limits)) {
    words.add(passageText(text, passage));
    if (passages.push(passage) % SPLIT_AT_ONCE === 0) await sleep(0);
  }
  const key = await sha256(JSON.stringify([model, passages]));
  const rows = new VectorRows(passages.length);
  if (checkpoint !== null) await rows.restore(checkpoint, key);
  let saved = rows.count;
  onProgress?.(rows.count, passages.length);
  while (rows.count < passages.length) {
    await check();
    const next = passages.slice(rows.count, rows.count + BATCH_SIZE).map((passage) => passageText(text, passage));
    rows.add(await embed(next, { model, site, isBackground: true }));
    onProgress?.(rows.count, passages.length);
    if (rows.count - saved < CHECKPOINT || rows.count === passages.length) continue;
    saved = rows.count;
    await saveCheckpoint(rows.encode(key));
  }
  return encodeIndex(words.indexed(rows.quantised), { text, passages });
}
