import { BUILT_IN_EMBEDDING_MODEL_ID as EMBEDDING_MODEL } from '../../shared/models/built-in-models.ts';
import { withAbort } from '../../shared/timeout.ts';
import { requestEmbeddings } from '../api/request-embeddings.ts';
import { passagesOf } from '../common/passages-of.ts';
import { dot } from '../storage/embedding-similarity.ts';
import type { Passage, PassageQuestion } from './passage-search-worker.ts';

/** Maximum passages whose embeddings are computed: those that share the most words with the question. */
const MAX_COMPARED = 64;

/** Separates passages and tells the model that text between them was left out. */
const GAP = '\n[…]\n';

/** Returns at most the first `most` characters of a text, cut between words if possible. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = cut.search(/\s\S*$/);
  // Without half of a surrogate pair, which the cut may leave.
  return cut.slice(0, end > most / 2 ? end : most).replace(/[\uD800-\uDBFF]$/, '');
}

interface Finders {
  /** Default: finds passages that share words with the question, in a worker. */
  readonly find?: (question: PassageQuestion, signal: AbortSignal) => Promise<readonly Passage[]>;
  /** Default: requests embeddings from the endpoint. */
  readonly embed?: typeof requestEmbeddings;
}

/**
 * Returns the passages of a text that best fit a question, in the order of the text. They are ranked by words shared
 * with the question and, if embeddings are available, also by meaning. If not even the best one fits, returns its
 * beginning.
 * @param most Maximum characters of all passages together.
 * @throws the signal's reason if it aborts before the passages are found.
 */
export async function fittingPassages(
  text: string,
  question: string,
  most: number,
  signal: AbortSignal,
  { find = findByWords, embed = requestEmbeddings }: Finders = {},
): Promise<string> {
  const candidates = await find({ text, question, most: MAX_COMPARED }, signal);
  const ordered = await byMeaning(candidates, question, signal, embed).catch((thrown: unknown) => {
    signal.throwIfAborted();
    console.info('Passages are chosen by their words only.', thrown);
    return candidates;
  });
  const best = ordered[0]?.text ?? text;
  // Otherwise nothing would be sent, or only a short passage such as the last one of the text.
  if (best.length + GAP.length > most) return beginningOf(best, most);
  const chosen: Passage[] = [];
  let room = most;
  for (const passage of ordered) {
    if (passage.text.length + GAP.length > room) continue;
    chosen.push(passage);
    room -= passage.text.length + GAP.length;
  }
  const inOrder = chosen.toSorted((a, b) => a.index - b.index);
  return inOrder
    .map((passage, place) => {
      const before = inOrder[place - 1]?.index ?? -1;
      return `${passage.index === before + 1 ? (place === 0 ? '' : '\n') : GAP}${passage.text}`;
    })
    .join('')
    .trim();
}

/**
 * Merges two rankings by taking a passage from each in turn, because either may be wrong: the order of `passages`, by
 * words shared with the question, and the order by similarity in meaning.
 * @returns All passages without duplicates, best first.
 */
async function byMeaning(
  passages: readonly Passage[],
  question: string,
  signal: AbortSignal,
  embed: typeof requestEmbeddings,
): Promise<readonly Passage[]> {
  const [sought] = passagesOf(question);
  if (sought === undefined) return passages;
  const texts = [sought, ...passages.map(({ text }) => text)];
  const [wanted, ...vectors] = await embed(EMBEDDING_MODEL, texts, signal);
  const closeness = vectors.map((vector) => dot(vector, wanted!));
  const byLikeness = [...passages.keys()].toSorted((a, b) => closeness[b]! - closeness[a]!);
  const inTurn = passages.flatMap((passage, rank) => [passage, passages[byLikeness[rank]!]!]);
  return [...new Set(inTurn)];
}

async function findByWords(question: PassageQuestion, signal: AbortSignal): Promise<readonly Passage[]> {
  const worker = new Worker(new URL('./passage-search-worker.ts', import.meta.url), {
    type: 'module',
    name: 'passages',
  });
  try {
    const found = new Promise<readonly Passage[]>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<readonly Passage[]>) => resolve(data));
      worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    });
    worker.postMessage(question);
    return await withAbort(found, signal);
  } finally {
    worker.terminate();
  }
}
