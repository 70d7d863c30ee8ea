import { joinTexts } from './foreign-values.ts';

/** A message as another product has it. */
export interface ForeignMessage {
  readonly id: string;
  /** Id of the message before it; null, or one that does not exist, for a first one. */
  readonly parent: string | null;
  /** Null for what is left out: what follows it then follows what is before it. */
  readonly role: 'user' | 'assistant' | null;
  readonly text: string;
  /** Of an answer: what its model thought, and the model's name. */
  readonly thinking: string;
  readonly model: string;
  /** Milliseconds since 1970; null where it is not known. */
  readonly created: number | null;
}

type Draft = { -readonly [Key in keyof ForeignMessage]: ForeignMessage[Key] };

interface ForeignTree {
  /** What is said, by id; parents are among these, and lead to a first one. */
  readonly said: ReadonlyMap<string, ForeignMessage>;
  /** Where a message that may have been left out, or joined to another, ends up; null where that is nowhere. */
  readonly placeOf: (id: string) => string | null;
}

/**
 * The tree of what is said: without messages that are left out, without rings, and an answer in several pieces (as tools and
 * thinking leave them) as one. It takes time in proportion to the messages, whatever their parents say.
 */
export function tidyTree(messages: readonly ForeignMessage[]): ForeignTree {
  const { said, nearest } = withoutLeftOut(messages);
  openRings(said);
  const joined = joinPieces(said);
  const placeOf = (id: string): string | null => {
    const near = nearest(id);
    return near === null ? null : (joined.get(near) ?? near);
  };
  return { said, placeOf };
}

function withoutLeftOut(messages: readonly ForeignMessage[]) {
  const all = new Map(messages.map((message) => [message.id, message]));
  /** For messages that are left out: the nearest one before them that is not. Null, too, while that is looked for: so a ring ends. */
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

/** Makes a first message of one in each ring. */
function openRings(messages: ReadonlyMap<string, Draft>): void {
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
 * Joins each answer to the one it follows, if nothing else follows that.
 * @returns Where the pieces have gone.
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
