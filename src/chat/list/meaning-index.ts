import { BUILT_IN_EMBEDDING_MODEL_ID as MODEL } from '../../shared/models/built-in-models.ts';
import { requestEmbeddings } from '../api/request-embeddings.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { EmbeddingWeights, Message } from '../types/conversation.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { dot } from '../storage/embedding-similarity.ts';
import { passagesOf } from '../common/passages-of.ts';

/**
 * Approximate number of passages per embedding request. It is small, because other requests may have to wait until such
 * a request ends.
 */
const PASSAGES_AT_ONCE = 32;

/**
 * Number of messages that are embedded between two updates of the results. It is large, because each update compares
 * all messages.
 */
const MESSAGES_AT_ONCE = 64;

/**
 * Milliseconds that searches wait for {@link MESSAGES_AT_ONCE} messages. A browser may never end a read, and no message would
 * be embedded until the page is loaded again.
 */
const ADDING_TIME = 5 * 60_000;

const MAX_FOUND = 5;

/**
 * Minimum cosine similarity of a match. Measured with the built-in embedding model on 38 searches in a dozen chats: it
 * keeps half of the relevant chats and less than one irrelevant chat per search.
 */
const MIN_LIKENESS = 0.3;

/**
 * The embedding of this text identifies the model's weights. If the text changes, all embeddings are computed again.
 */
const SAMPLE = 'The quick brown fox jumps over the lazy dog.';

/** How many leading numbers of the embedding of {@link SAMPLE} are stored with each message. */
const SAMPLE_NUMBERS = 16;

/** The best matching passage of a conversation: the id of its message, and its index in that message. */
export interface NearPassage {
  readonly conversation: string;
  readonly message: string;
  readonly passage: number;
}

/**
 * Finds conversations by meaning. Embeddings are stored with the messages. They are computed in idle time after the
 * first search, so that without a search no model is loaded.
 */
export class MeaningIndex {
  readonly #store: () => ConversationStore;
  readonly #embed: typeof requestEmbeddings;
  #completing: Promise<void> | null = null;
  /** The last searched words and their vectors, because a search that is followed repeats each time when chats change. */
  #last: { readonly words: string; readonly vectors: readonly Float32Array<ArrayBuffer>[] } | null = null;
  #added = 0;

  constructor(store: () => ConversationStore, embed = requestEmbeddings) {
    this.#store = store;
    this.#embed = embed;
  }

  /**
   * Calls `tell` with the conversations that are closest in meaning to `words`, best first: immediately, and each time
   * more messages are embedded. Resolves when all messages are embedded.
   * @throws ApiError if embeddings cannot be computed.
   * @throws the signal's reason if it aborts before all messages are embedded.
   */
  async find(words: string, tell: (near: readonly NearPassage[]) => void, signal: AbortSignal): Promise<void> {
    if (this.#last?.words !== words) {
      this.#last = { words, vectors: await this.#embed(MODEL, [SAMPLE, ...passagesOf(words).slice(0, 1)], signal) };
    }
    const [sample, sought] = this.#last.vectors;
    if (sample === undefined || sought === undefined) return;
    const weights: EmbeddingWeights = { model: MODEL, sample: sample.slice(0, SAMPLE_NUMBERS) };
    for (;;) {
      const near = await this.#nearest(sought, weights);
      signal.throwIfAborted();
      tell(near);
      this.#completing ??= withTimeout(ADDING_TIME, this.#addSome(weights), undefined).finally(
        () => (this.#completing = null),
      );
      const before = this.#added;
      await this.#completing.catch((error: unknown) => {
        // The engine may begin anew with other weights, whose vectors must not be stored with this sample.
        this.#last = null;
        throw error;
      });
      signal.throwIfAborted();
      if (this.#added === before) return;
    }
  }

  async #nearest(sought: Float32Array, weights: EmbeddingWeights): Promise<readonly NearPassage[]> {
    const best = new Map<string, NearPassage & { readonly close: number }>();
    for await (const passages of this.#store().vectors(weights)) {
      for (const { conversation, message, passage, vector } of passages) {
        const close = dot(vector, sought);
        if (close <= (best.get(conversation)?.close ?? MIN_LIKENESS)) continue;
        best.set(conversation, { conversation, message, passage, close });
      }
    }
    return [...best.values()].toSorted((a, b) => b.close - a.close).slice(0, MAX_FOUND);
  }

  async #addSome(weights: EmbeddingWeights): Promise<void> {
    const store = this.#store();
    const missing = await store.messagesWithoutVectors(weights, MESSAGES_AT_ONCE);
    for (const group of groupsOf(missing)) {
      await idleTime();
      const texts = group.flatMap(({ passages }) => passages);
      const vectors = texts.length === 0 ? [] : await this.#embed(MODEL, texts, new AbortController().signal);
      let start = 0;
      for (const { message, passages } of group) {
        const end = start + passages.length;
        await store.addVectors(message, { ...weights, passages: vectors.slice(start, end) });
        start = end;
        this.#added++;
      }
    }
  }
}

interface CutMessage {
  readonly message: Message;
  readonly passages: readonly string[];
}

/** Groups messages whose passages are embedded in one request. */
function* groupsOf(messages: readonly Message[]): Generator<readonly CutMessage[]> {
  let group: CutMessage[] = [];
  let count = 0;
  for (const message of messages) {
    const passages = passagesOf(message.text);
    group.push({ message, passages });
    count += passages.length;
    if (count < PASSAGES_AT_ONCE) continue;
    yield group;
    group = [];
    count = 0;
  }
  if (group.length > 0) yield group;
}

function idleTime(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 2000 });
    else setTimeout(resolve, 100);
  });
}
