import { BUILT_IN_EMBEDDING_MODEL_ID as MODEL } from '../../shared/models/built-in-models.ts';
import { requestEmbeddings } from '../api/request-embeddings.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { EmbeddingWeights, Message } from '../types/conversation.ts';
import { dot } from '../storage/message-vectors.ts';
import { passagesOf } from '../common/passages-of.ts';

/** Passages that are computed by one request, about: what is asked meanwhile waits for no more than these. */
const PASSAGES_AT_ONCE = 32;

/** Messages after which what was found is told anew, which takes a look at all messages. */
const MESSAGES_AT_ONCE = 64;

/** Conversations that are named at most. */
const MOST_FOUND = 5;

/**
 * The least cosine of the angle between two vectors at which their texts count as close. Chosen by looking at 38 searches
 * among a dozen chats: with Pocket Embed half of the chats that were meant stay above it, and less than one other a search.
 */
const LEAST_LIKENESS = 0.3;

/** Its vector tells weights apart: retrained ones give another one. Whoever changes it has all vectors computed anew. */
const SAMPLE = 'The quick brown fox jumps over the lazy dog.';

/** As many of its numbers as are kept with each message. */
const SAMPLE_NUMBERS = 16;

/** Where a conversation is closest to what is sought: in which message, and in which of the passages of that. */
export interface NearPassage {
  readonly conversation: string;
  readonly message: string;
  readonly passage: number;
}

/**
 * Finds conversations by what they mean. The vectors lie beside the messages on this device and go with them. They are
 * computed in idle time from the first search on: who never searches never loads the model for it.
 */
export class MeaningIndex {
  readonly #store: () => ConversationStore;
  readonly #embed: typeof requestEmbeddings;
  #completing: Promise<void> | null = null;
  /** Messages that were given vectors. */
  #added = 0;

  /** @param embed Default: asks the endpoint. */
  constructor(store: () => ConversationStore, embed = requestEmbeddings) {
    this.#store = store;
    this.#embed = embed;
  }

  /**
   * The conversations that are close to some words, the closest first, told anew whenever more messages have their
   * vectors. It resolves when all have.
   * @throws ApiError where no vectors can be computed; the signal's reason.
   */
  async find(words: string, tell: (near: readonly NearPassage[]) => void, signal: AbortSignal): Promise<void> {
    const [sample, sought] = await this.#embed(MODEL, [SAMPLE, ...passagesOf(words).slice(0, 1)], signal);
    if (sample === undefined || sought === undefined) return;
    const weights: EmbeddingWeights = { model: MODEL, sample: sample.slice(0, SAMPLE_NUMBERS) };
    for (;;) {
      const near = await this.#nearest(sought, weights);
      signal.throwIfAborted();
      tell(near);
      this.#completing ??= this.#addSome(weights).finally(() => (this.#completing = null));
      const before = this.#added;
      await this.#completing;
      signal.throwIfAborted();
      if (this.#added === before) return;
    }
  }

  /** The closest passage of each conversation. */
  async #nearest(sought: Float32Array, weights: EmbeddingWeights): Promise<readonly NearPassage[]> {
    const best = new Map<string, NearPassage & { readonly close: number }>();
    for await (const passages of this.#store().vectors(weights)) {
      for (const { conversation, message, passage, vector } of passages) {
        const close = dot(vector, sought);
        if (close <= (best.get(conversation)?.close ?? LEAST_LIKENESS)) continue;
        best.set(conversation, { conversation, message, passage, close });
      }
    }
    return [...best.values()].toSorted((a, b) => b.close - a.close).slice(0, MOST_FOUND);
  }

  /** Computes the vectors of some more messages. */
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

/** Messages whose passages are computed together. */
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
