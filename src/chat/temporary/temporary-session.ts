import { LOG_HEADER } from '../../shared/storage/request-record.ts';
import { LAST_EVENT_HEADER, OUTLIVES_HEADER, STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { unsentFiles } from '../attachments/unsent-files.ts';
import { askInAnyCase } from '../common/ask-in-any-case.ts';
import { ConversationStore } from '../storage/conversation-store.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { questionQueues } from '../storage/drafts/question-queues.ts';
import { temporaryEdits } from '../storage/drafts/temporary-edits.ts';
import { setTemporaryChat } from '../storage/has-temporary-chat.ts';
import { keepSentInMemory } from '../storage/sent-in-memory.ts';
import { temporaryStrings } from '../strings/temporary-strings.ts';
import { countStorage, type StorageCount } from './count-storage.ts';

/** The only temporary chat of this tab, in memory. It survives a visit to another screen. */
export interface TemporarySession {
  readonly store: ConversationStore;
  readonly answers: AnswerRunner;
  /** Number of entries in each place of storage when the session began. */
  readonly before: Promise<readonly StorageCount[]>;
}

let current: TemporarySession | null = null;

export function temporarySession(): TemporarySession | null {
  return current;
}

/**
 * Returns the current session or starts one.
 * @param answers The runner of the page's other chats.
 */
export function openTemporarySession(answers: AnswerRunner): TemporarySession {
  if (current === null) {
    setTemporaryChat(true);
    keepSentInMemory();
    const store = new ConversationStore(null);
    current = { store, answers: answers.forStore(store, askUnkept), before: countStorage() };
  }
  return current;
}

/**
 * Asks before a reload that would lose chats.
 * @param store The page's other chats.
 * @returns Whether the page may be reloaded.
 */
export async function mayReload(store: ConversationStore): Promise<boolean> {
  if (store.keepsNothing && (await store.conversations()).length > 0) return askInAnyCase(temporaryStrings.loses);
  return current === null || askInAnyCase(temporaryStrings.ends);
}

/** Whether the end of the session loses messages, a text or files. */
export async function hasContents(): Promise<boolean> {
  if (drafts.read(undefined) !== '' || unsentFiles.of(undefined).length > 0) return true;
  return ((await current?.store.conversations()) ?? []).length > 0;
}

/** Stops the session's answer and discards the session with its draft and files. */
export function endTemporarySession(): void {
  const ended = current;
  current = null;
  setTemporaryChat(false);
  ended?.answers.end();
  drafts.write(undefined, '');
  temporaryEdits.clear();
  void unsentFiles.clear(undefined);
  questionQueues.forget();
}

/**
 * Sends requests that leave nothing on this device: no entry in a log, also not in that of the requests to upstreams,
 * and no resumable stream, which the engine keeps for minutes.
 */
const askUnkept: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  for (const name of [STREAM_ID_HEADER, OUTLIVES_HEADER, LAST_EVENT_HEADER]) headers.delete(name);
  headers.set(LOG_HEADER, 'memory');
  return fetch(input, { ...init, headers });
};
