import MiniSearch from 'minisearch';
import { isSingleCharacter, wordsOf } from '../strings/found-words.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Message } from '../types/conversation.ts';
import { withTimeout } from '../../shared/timeout.ts';

/** Milliseconds for one read of the store. A browser may never end one, and all later searches would wait for it. */
const READ_TIME = 10_000;

/** English and German stop words. They are ignored unless a query has no other words. */
const COMMON = new Set(
  (
    'a an and are as at be but by can could did do does for from had has have how i if in into is it its me my of on or our ' +
    'so than that the their them then there these they this to was we were what when where which who why will with would you your ' +
    'aber als am an auch auf aus bei bin das dass dem den der des die du ein eine einem einen einer er es fur hat ich ihr im ' +
    'in ist kann man mein mich mir mit nach nicht noch oder sich sie sind so uber um und uns vom von was wenn wer wie wir wo zu zum zur'
  ).split(' '),
);

export interface WordMatch {
  readonly conversation: string;
  /**
   * True if all words of the query match, not counting stop words; false if only some do, but at least half of them.
   */
  readonly isWhole: boolean;
  /** The matching words of the conversation, stemmed by {@link stemOf}. */
  readonly stems: ReadonlySet<string>;
}

/**
 * Full-text search, best match first, independent of word order and inflection. The index is in memory; the first
 * search builds it and change events of the store update it.
 */
export class WordIndex {
  readonly #store: () => ConversationStore;
  readonly #index = new MiniSearch({
    fields: ['title', 'text'],
    tokenize: (text) => wordsOf(text).map(({ word }) => word),
    processTerm: (word) => stemOf(word),
    searchOptions: { boost: { title: 2 } },
  });
  readonly #known = new Set<string>();
  readonly #changed = new Set<string>();
  #isSubscribed = false;
  #refreshed: Promise<void> = Promise.resolve();

  constructor(store: () => ConversationStore) {
    this.#store = store;
  }

  /**
   * Searches the conversations.
   * @param words The query. Its last word may be incomplete.
   */
  async search(words: string): Promise<readonly WordMatch[]> {
    if (!this.#isSubscribed) this.#store().subscribe(({ conversation }) => this.#changed.add(conversation));
    this.#isSubscribed = true;
    this.#refreshed = this.#refreshed.catch(() => {}).then(() => this.#refresh());
    await this.#refreshed;
    const terms = termsOf(words);
    const results = this.#index.search(terms.join(' '), {
      prefix: (term, index, all) => isSingleCharacter(term) || (index === all.length - 1 && term.length > 2),
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    });
    const count = new Set(terms.map(stemOf)).size;
    return results
      .map(({ id, terms, queryTerms }) => ({
        conversation: String(id),
        matched: queryTerms.length,
        isWhole: queryTerms.length === count,
        stems: new Set(terms),
      }))
      .filter(({ matched }) => matched * 2 >= count)
      .toSorted((a, b) => Number(b.isWhole) - Number(a.isWhole));
  }

  /**
   * Reads new and changed conversations one by one, so that the page stays responsive. What cannot be read, or not in time,
   * is read by the next search.
   */
  async #refresh(): Promise<void> {
    const store = this.#store();
    const conversations = await withTimeout(READ_TIME, store.conversations(), null);
    if (conversations === null) return;
    const gone = new Set(this.#known);
    for (const { id, title } of conversations) {
      gone.delete(id);
      const isChanged = this.#changed.delete(id);
      if (this.#known.has(id) && !isChanged) continue;
      let messages: readonly Message[] | null = null;
      try {
        messages = await withTimeout(READ_TIME, store.messages(id), null);
      } finally {
        if (messages === null) this.#changed.add(id);
      }
      if (messages === null) return;
      const text = messages.map((message) => message.text).join('\n');
      if (this.#known.has(id)) this.#index.discard(id);
      this.#known.add(id);
      this.#index.add({ id, title, text });
    }
    for (const id of gone) {
      this.#known.delete(id);
      this.#index.discard(id);
    }
  }
}

/** Returns the words of the query without stop words, or all words if there are only stop words. */
function termsOf(words: string): readonly string[] {
  const all = wordsOf(words).map(({ word }) => word);
  const telling = all.filter((word) => !COMMON.has(fold(word)));
  return telling.length > 0 ? telling : all;
}

/** Returns a stem without knowledge of the language: the same for "bake", "baked" and "baking". */
export function stemOf(word: string): string {
  let stem = fold(word);
  for (let times = 0; times < 2; times += 1) stem = stem.replace(/(?<=...)(?:ings?|ed|e[srnm]?|s|n)$/, '');
  return stem.replace(/(?<=..)([^aeiou\d])\1$/, '$1').replace(/y$/, 'i');
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase().replaceAll('ß', 'ss');
}
