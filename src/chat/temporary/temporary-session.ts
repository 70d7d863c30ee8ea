import { LOG_HEADER } from '../../shared/storage/request-record.ts';
import { LAST_EVENT_HEADER, OUTLIVES_HEADER, STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { ROUTE_HEADER } from '../../shared/upstreams/upstream.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { waitingFiles } from '../attachments/waiting-files.ts';
import { ConversationStore } from '../storage/conversation-store.ts';
import { writeDraft } from '../storage/local-values.ts';
import { countStorage, type StorageCount } from './count-storage.ts';

/** The one temporary chat of this tab: it lies in memory alone. Another screen may be looked at meanwhile. */
export interface TemporarySession {
  readonly store: ConversationStore;
  readonly answers: AnswerRunner;
  /** What lay on the device when it began. */
  readonly before: Promise<readonly StorageCount[]>;
}

let current: TemporarySession | null = null;

/** The session of this tab; null where none has been begun, or it was ended. */
export function temporarySession(): TemporarySession | null {
  return current;
}

/** That session, or else a new one. @param answers Those of the page's other chats. */
export function openTemporarySession(answers: AnswerRunner): TemporarySession {
  if (current === null) {
    const store = new ConversationStore(null);
    current = { store, answers: answers.forStore(store, askUnkept), before: countStorage() };
  }
  return current;
}

/** Ends its answer, if one is being written, and forgets it, with what was to be asked next. */
export function endTemporarySession(): void {
  const ended = current;
  current = null;
  ended?.answers.end();
  writeDraft(undefined, '');
  waitingFiles.clear(undefined);
}

/**
 * Asks the endpoint so that nothing is kept of it: no record in the log, no stream that could be joined again (the engine
 * holds those for minutes), and no server beside this device, for which requests are written down.
 */
const askUnkept: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  for (const name of [STREAM_ID_HEADER, OUTLIVES_HEADER, LAST_EVENT_HEADER]) headers.delete(name);
  headers.set(LOG_HEADER, 'none');
  headers.set(ROUTE_HEADER, 'local');
  return fetch(input, { ...init, headers });
};
