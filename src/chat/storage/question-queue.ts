import type { AskedQuestion } from '../types/conversation.ts';

/** A question that is sent when the running answer of its conversation has ended. */
export interface QueuedQuestion extends AskedQuestion {
  readonly id: string;
}

/** A conversation. A temporary one exists in memory only, and so does its queue. */
export interface QueueOwner {
  readonly id: string | null;
  readonly isTemporary: boolean;
}

/** The queues of temporary chats. */
const unkept = new Map<string, string>();

/** Cache of the queue that was read last: it is read at each piece of an answer, and may contain files of megabytes. */
let last: { readonly stored: string; readonly questions: readonly QueuedQuestion[] } = { stored: '', questions: [] };

/** Returns the questions that wait in a conversation, oldest first. They survive a reload. */
export function readQueue({ id, isTemporary }: QueueOwner): readonly QueuedQuestion[] {
  if (id === null) return [];
  const stored = (isTemporary ? unkept.get(id) : localStorage.getItem(queueKey(id))) ?? '';
  if (last.stored !== stored) last = { stored, questions: parse(stored) };
  return last.questions;
}

function parse(stored: string): readonly QueuedQuestion[] {
  try {
    return JSON.parse(stored || '[]') as readonly QueuedQuestion[];
  } catch {
    // An invalid stored value must not keep the chat from being shown.
    return [];
  }
}

/**
 * Replaces the questions that wait in a conversation.
 * @throws DOMException `QuotaExceededError` if they do not fit into local storage.
 */
export function writeQueue({ id, isTemporary }: QueueOwner, questions: readonly QueuedQuestion[]): void {
  if (id === null) return;
  const key = queueKey(id);
  if (isTemporary) unkept.set(id, JSON.stringify(questions));
  else if (questions.length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(questions));
}

/** Deletes the queues of temporary chats. Call it when the temporary chat has ended. */
export function forgetTemporaryQueues(): void {
  unkept.clear();
}

/**
 * Returns the key of a conversation's queue in localStorage. It is not in the database, because another object store
 * would need a new version of the database.
 */
export function queueKey(conversation: string): string {
  return `tabserve-queue-${conversation}`;
}
