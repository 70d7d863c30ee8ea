import { rangesOf, wordsOf } from '../strings/found-words.ts';
import type { FoundPlace } from '../common/route.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation, Message } from '../types/conversation.ts';
import { sleep, withAbort } from '../../shared/timeout.ts';
import { MeaningIndex, type NearPassage } from './meaning-index.ts';
import { passagesOf } from '../common/passages-of.ts';
import { stemOf, WordIndex, type WordMatch } from './word-index.ts';

/** Milliseconds after the last key press before the search by meaning starts. */
const TYPING_PAUSE = 300;

/**
 * Milliseconds for which a search that has shown something goes on although chats have changed since it began. While another tab
 * writes an answer, they change several times a second.
 */
const LASTING = 1000;

/** Milliseconds after which a search that has shown nothing counts as one whose read a browser never ends. */
const READ_TIME = 10_000;

const MAX_FOUND = 50;

/** Maximum characters of a snippet. */
const SNIPPET = 120;
/** Maximum characters of a snippet before the match. */
const BEFORE = 30;

/** Characters around a match that are parsed as Markdown. Parsing a long text would block the page. */
const MAX_READ = 1000;

/** The constant k of reciprocal rank fusion: a larger value weakens the first ranks. */
const RANK_OFFSET = 60;

export interface FoundConversation {
  readonly conversation: Conversation;
  /**
   * False if the conversation contains the phrase or all words; true if it matches only in some words or in meaning.
   */
  readonly isClose: boolean;
  /** The message that matches best; null if only the title matches. */
  readonly place: FoundPlace | null;
  /** Parts of the text around the match. Parts with an odd index are matches. */
  readonly snippet: readonly string[];
}

/** Finds conversations by the typed phrase, then by its words, then by its meaning. */
export class ConversationSearch {
  readonly #store: () => ConversationStore;
  readonly #words: WordIndex;
  readonly #meaning: MeaningIndex;
  /** The last matches in meaning. A search that is repeated shows them until it has its own. */
  #near: { readonly sought: string; readonly passages: readonly NearPassage[] } = { sought: '', passages: [] };

  constructor(store: () => ConversationStore, words = new WordIndex(store), meaning = new MeaningIndex(store)) {
    this.#store = store;
    this.#words = words;
    this.#meaning = meaning;
  }

  /**
   * Searches as {@link find}, and again whenever chats have changed. A search that has not shown anything yet is only begun
   * anew after {@link READ_TIME}.
   * @throws errors of the store.
   * @throws the signal's reason when it aborts.
   */
  async follow(
    sought: string,
    tell: (found: readonly FoundConversation[]) => void,
    signal: AbortSignal,
  ): Promise<never> {
    for (;;) {
      const [changed, noteChange] = happening();
      const [shown, noteShown] = happening();
      const round = new AbortController();
      const unsubscribe = this.#store().subscribe(noteChange);
      const show = (found: readonly FoundConversation[]): void => {
        tell(found);
        noteShown();
      };
      const searching = this.find(sought, show, AbortSignal.any([signal, round.signal]));
      const outdated = changed
        .then(() => Promise.race([shown, sleep(READ_TIME, round.signal)]))
        .then(() => sleep(LASTING, round.signal));
      try {
        await withAbort(
          Promise.race([searching, outdated]).then(() => changed),
          signal,
        );
      } finally {
        unsubscribe();
        round.abort();
      }
    }
  }

  /**
   * Searches in steps and calls `tell` with the results of each, best first. Resolves after the last step. If
   * embeddings fail, it searches only by words.
   * @throws errors of the store.
   * @throws the signal's reason if it aborts before the last step.
   */
  async find(sought: string, tell: (found: readonly FoundConversation[]) => void, signal: AbortSignal): Promise<void> {
    const containing = await conversationsWith(sought, this.#store(), signal);
    let matches: readonly WordMatch[] = [];
    let near = this.#near.sought === sought ? this.#near.passages : [];
    let shown = 0;
    const show = async (): Promise<void> => {
      const turn = (shown += 1);
      const found = await this.#look(sought, containing, matches, near, signal);
      if (turn === shown) tell(found);
    };
    await show();
    matches = await this.#words.search(sought);
    await show();
    if (sought.length < 3) return;
    await sleep(TYPING_PAUSE, signal);
    let showing: Promise<void> = Promise.resolve();
    const tellNear = (told: readonly NearPassage[]): void => {
      near = told;
      this.#near = { sought, passages: told };
      showing = show();
      // Rejects if the search was aborted; the end of `find` awaits it and throws that error.
      showing.catch(() => {});
    };
    await this.#meaning.find(sought, tellNear, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      console.info('Chats are searched by words only.', error);
    });
    await showing;
  }

  async #look(
    sought: string,
    containing: ReadonlySet<string>,
    matches: readonly WordMatch[],
    near: readonly NearPassage[],
    signal: AbortSignal,
  ): Promise<readonly FoundConversation[]> {
    const all = new Map((await this.#store().conversations()).map((conversation) => [conversation.id, conversation]));
    const words = new Map(matches.map((match) => [match.conversation, match]));
    const passages = new Map(near.map((passage) => [passage.conversation, passage]));
    const ids = rank([...all.values()], sought, containing, matches, near);
    const found: FoundConversation[] = [];
    // Sequential, so that the page stays responsive.
    for (const { id, isClose } of ids.slice(0, MAX_FOUND)) {
      // The store returns them in no order.
      const messages = (await this.#store().messages(id)).toSorted((a, b) => a.created - b.created);
      signal.throwIfAborted();
      const stems = words.get(id)?.stems ?? new Set<string>();
      const passage = passages.get(id);
      const byWords = placeOf(messages, sought, stems);
      const piece = byWords ?? (passage === undefined ? null : placeOfPassage(messages, passage));
      found.push({
        conversation: all.get(id)!,
        isClose,
        place: piece === null ? null : { message: piece.message, words: piece.words },
        snippet: piece === null ? [] : snippetOf(await seenText(piece), piece.words),
      });
    }
    signal.throwIfAborted();
    return found;
  }
}

/** Returns a promise, and what resolves it. */
function happening(): readonly [Promise<void>, () => void] {
  let settle!: () => void;
  const promise = new Promise<void>((resolve) => (settle = resolve));
  return [promise, settle];
}

/**
 * Ids of the conversations with `words` in a question or answer, ignoring case.
 * @throws the signal's reason if it aborts before all messages are read.
 */
async function conversationsWith(words: string, store: ConversationStore, signal: AbortSignal): Promise<Set<string>> {
  const sought = words.toLocaleLowerCase();
  const found = new Set<string>();
  for await (const messages of store.allMessages()) {
    signal.throwIfAborted();
    for (const { text, conversation } of messages) {
      if (text.toLocaleLowerCase().includes(sought)) found.add(conversation);
    }
  }
  return found;
}

/**
 * Ranks conversations: first those with the phrase in the title, then those with the phrase in a message, then those
 * with all words. Matches in meaning follow. If none of the former exist, conversations with some of the words are
 * merged with the matches in meaning.
 */
function rank(
  all: readonly Conversation[],
  sought: string,
  containing: ReadonlySet<string>,
  matches: readonly WordMatch[],
  near: readonly NearPassage[],
): readonly { readonly id: string; readonly isClose: boolean }[] {
  const phrase = sought.toLocaleLowerCase();
  const known = new Map(all.map((conversation) => [conversation.id, conversation]));
  const places = new Map(matches.map(({ conversation }, place) => [conversation, place]));
  const inTitle = (id: string) => known.get(id)!.title.toLocaleLowerCase().includes(phrase);
  const whole = new Set([
    ...all.filter(({ id }) => inTitle(id)).map(({ id }) => id),
    ...[...containing].filter((id) => known.has(id)),
    ...matches
      .filter(({ conversation, isWhole }) => isWhole && known.has(conversation))
      .map(({ conversation }) => conversation),
  ]);
  const level = (id: string) => (inTitle(id) ? 0 : containing.has(id) ? 1 : 2);
  const place = (id: string) => places.get(id) ?? matches.length;
  const first = [...whole].toSorted(
    (a, b) => level(a) - level(b) || place(a) - place(b) || known.get(b)!.updated - known.get(a)!.updated,
  );
  const scores = new Map<string, number>();
  for (const ranking of [first.length === 0 ? matches : [], near]) {
    for (const [place, { conversation }] of ranking.entries()) {
      if (whole.has(conversation) || !known.has(conversation)) continue;
      scores.set(conversation, (scores.get(conversation) ?? 0) + 1 / (RANK_OFFSET + place));
    }
  }
  const close = [...scores].toSorted(([, a], [, b]) => b - a).map(([id]) => ({ id, isClose: true }));
  return [...first.map((id) => ({ id, isClose: false })), ...close];
}

interface Piece {
  readonly message: string;
  readonly isMarkdown: boolean;
  readonly text: string;
  readonly words: string;
}

/**
 * Returns the first message that contains the phrase, otherwise the one with the most words; null if none contains any.
 */
function placeOf(messages: readonly Message[], sought: string, stems: ReadonlySet<string>): Piece | null {
  const phrase = sought.toLocaleLowerCase();
  const exact = messages.find(({ text }) => text.toLocaleLowerCase().includes(phrase));
  if (exact !== undefined) return pieceOf(exact, sought);
  let best: Piece | null = null;
  let most = 0;
  for (const message of messages) {
    const matched = new Map(wordsOf(message.text).map(({ word }) => [word.toLowerCase(), stemOf(word)]));
    for (const [word, stem] of matched) if (!stems.has(stem)) matched.delete(word);
    const count = new Set(matched.values()).size;
    if (count <= most) continue;
    most = count;
    best = pieceOf(message, [...matched.keys()].slice(0, 12).join(' '));
  }
  return best;
}

function placeOfPassage(messages: readonly Message[], { message, passage }: NearPassage): Piece | null {
  const found = messages.find(({ id }) => id === message);
  return found === undefined ? null : pieceOf(found, '', passagesOf(found.text)[passage]);
}

function pieceOf({ id, role, text }: Message, words: string, part = text): Piece {
  return { message: id, isMarkdown: role === 'assistant', text: part, words };
}

/**
 * Returns the text as it is displayed, without Markdown syntax. Returns the source if the match is not visible, as in
 * the address of a link.
 */
async function seenText({ isMarkdown, text, words }: Piece): Promise<string> {
  if (!isMarkdown) return text;
  // Without the renderer the Markdown syntax stays visible.
  const renderer = await import('../markdown/renderer.ts').catch(() => null);
  const seen = renderer?.plainText(around(text, words)).trim() ?? text;
  return words !== '' && rangesOf(words, seen).length === 0 ? text : seen;
}

/** Returns the text around the first match, if possible from the beginning of a line. */
function around(text: string, words: string): string {
  const [place = 0] = rangesOf(words, text)[0] ?? [];
  const start = place < MAX_READ / 2 ? 0 : Math.max(text.lastIndexOf('\n', place - MAX_READ / 4), place - MAX_READ / 2);
  return text.slice(start, start + MAX_READ);
}

/** The text around the match on one line, as {@link FoundConversation.snippet}. */
function snippetOf(text: string, words: string): readonly string[] {
  const ranges = rangesOf(words, text);
  const from = Math.max(0, (ranges[0]?.[0] ?? 0) - BEFORE);
  const start = from === 0 ? 0 : from + Math.max(0, text.slice(from, from + BEFORE).search(/(?<=\s)\S/));
  const end = Math.min(text.length, start + SNIPPET);
  const parts: string[] = [];
  let at = start;
  for (const [first, last] of ranges) {
    if (first < at || last > end) continue;
    parts.push(text.slice(at, first), text.slice(first, last));
    at = last;
  }
  parts.push(text.slice(at, end));
  if (start > 0) parts[0] = `…${parts[0]}`;
  if (end < text.length) parts.push(`${parts.pop()}…`);
  // Drops the halves of cut surrogate pairs.
  return parts.map((part) => part.replace(/\p{Cs}/gu, '').replace(/\s+/g, ' '));
}
