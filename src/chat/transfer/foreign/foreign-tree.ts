import type { Attachment } from '../../types/conversation.ts';
import { joinTexts } from './foreign-values.ts';

export interface ForeignMessage {
  readonly id: string;
  /** Id of the previous message. A root has null or an unknown id. */
  readonly parent: string | null;
  /** Null for a message to leave out. Its children become children of its parent. */
  readonly role: 'user' | 'assistant' | null;
  readonly text: string;
  readonly thinking: string;
  /** Of questions only. */
  readonly attachments: readonly Attachment[];
  readonly model: string;
  /** Milliseconds since 1970; null if unknown. */
  readonly created: number | null;
}

type Draft = { -readonly [Key in keyof ForeignMessage]: ForeignMessage[Key] };

interface ForeignTree {
  /** The remaining messages by id. Each parent is among them, and there are no cycles. */
  readonly said: ReadonlyMap<string, ForeignMessage>;
  /**
   * Maps the id of a message in the file to that of an imported one: the message that contains its text or, if it was
   * left out, the last imported message before it. Null if there is none.
   */
  readonly placeOf: (id: string) => string | null;
}

/**
 * Leaves out the messages without a role, breaks cycles, and joins the pieces of answers that tool calls and reasoning
 * have split. Takes linear time.
 */
export function tidyTree(messages: readonly ForeignMessage[]): ForeignTree {
  const { said, nearest } = withoutLeftOut(messages);
  breakCycles(said);
  const joined = joinPieces(said);
  const placeOf = (id: string): string | null => {
    const near = nearest(id);
    return near === null ? null : (joined.get(near) ?? near);
  };
  return { said, placeOf };
}

function withoutLeftOut(messages: readonly ForeignMessage[]) {
  const all = new Map(messages.map((message) => [message.id, message]));
  /**
   * The nearest remaining ancestor of each left-out message. Null during the search for it, so that a cycle ends the
   * search.
   */
  const found = new Map<string, string | null>();
  const nearest = (start: string | null): string | null => {
    const passed: string[] = [];
    let at = start;
    while (at !== null && all.get(at)?.role === null && !found.has(at)) {
      found.set(at, null);
      passed.push(at);
      at = all.get(at)?.parent ?? null;
    }
    const end = at === null ? null : (found.get(at) ?? (all.get(at)?.role ? at : null));
    for (const id of passed) found.set(id, end);
    return end;
  };
  const said = new Map<string, Draft>();
  for (const message of all.values()) {
    if (message.role !== null) said.set(message.id, { ...message, parent: nearest(message.parent) });
  }
  return { said, nearest };
}

/** Breaks each cycle by making one of its messages a root. */
function breakCycles(messages: ReadonlyMap<string, Draft>): void {
  const sound = new Set<string>();
  for (const id of messages.keys()) {
    const walked = new Set<string>();
    for (let at: string | null = id; at !== null && !sound.has(at);) {
      const message = messages.get(at);
      if (message === undefined) break;
      if (walked.has(at)) {
        message.parent = null;
        break;
      }
      walked.add(at);
      at = message.parent;
    }
    for (const id of walked) sound.add(id);
  }
}

/**
 * Joins an answer to the answer before it, if that answer has no other child.
 * @returns The new id of each joined piece.
 */
function joinPieces(messages: Map<string, Draft>): ReadonlyMap<string, string> {
  const followers = new Map<string, number>();
  for (const { parent } of messages.values()) {
    if (parent !== null) followers.set(parent, (followers.get(parent) ?? 0) + 1);
  }
  const isPieceOf = (parent: Draft | undefined): parent is Draft =>
    parent?.role === 'assistant' && followers.get(parent.id) === 1;
  const pieces = new Set<string>();
  for (const { role, parent } of messages.values()) {
    if (role === 'assistant' && parent !== null && isPieceOf(messages.get(parent))) pieces.add(parent);
  }
  const joined = new Map<string, string>();
  for (const message of messages.values()) {
    if (message.role !== 'assistant' || pieces.has(message.id)) continue;
    const run = [message];
    while (message.parent !== null && pieces.has(message.parent)) {
      const piece = messages.get(message.parent)!;
      run.push(piece);
      joined.set(piece.id, message.id);
      message.parent = piece.parent;
    }
    run.reverse();
    message.text = joinTexts(run.map(({ text }) => text));
    message.thinking = joinTexts(run.map(({ thinking }) => thinking));
    message.created = run[0]!.created;
  }
  for (const id of pieces) messages.delete(id);
  return joined;
}
