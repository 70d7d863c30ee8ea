import { reuseUnchanged } from './reuse-unchanged.ts';
import type { Answer, Message } from '../types/conversation.ts';

/**
 * The messages of one conversation as a tree. Editing a question or regenerating an answer adds a branch. The page
 * shows the path from a root to one leaf.
 */
export class MessageTree {
  readonly #byId: ReadonlyMap<string, Message>;
  readonly #children = new Map<string | null, Message[]>();

  /**
   * Builds the tree of one conversation.
   * @param before The previous tree, whose unchanged objects are reused. Null if there is none.
   */
  constructor(messages: readonly Message[], before: MessageTree | null = null) {
    const kept = reuseUnchanged(before === null ? [] : [...before.#byId.values()], messages);
    const ordered = kept.toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
    this.#byId = new Map(ordered.map((message) => [message.id, message]));
    for (const message of ordered) {
      const parent = this.#parentOf(message)?.id ?? null;
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [message]);
      else siblings.push(message);
    }
  }

  get(id: string): Message | undefined {
    return this.#byId.get(id);
  }

  /**
   * Returns the messages from the first one to `leaf`. If `leaf` is null or unknown, returns the path to the newest
   * leaf.
   */
  path(leaf: string | null): Message[] {
    const end = (leaf === null ? undefined : this.#byId.get(leaf)) ?? this.newestLeaf(null);
    const path: Message[] = [];
    // The second condition ends the loop if the parents of damaged data form a cycle.
    for (let at = end; at !== undefined && path.length < this.#byId.size; at = this.#parentOf(at)) path.push(at);
    return path.toReversed();
  }

  /** The message and its alternatives, which have the same parent, oldest first. */
  siblings(id: string): readonly Message[] {
    const message = this.#byId.get(id);
    return message === undefined ? [] : (this.#children.get(this.#parentOf(message)?.id ?? null) ?? []);
  }

  /**
   * The answers that are shown side by side, in the order of their requests: `answer` and the one with which it is
   * compared, or `answer` alone.
   */
  compared(answer: Answer): readonly Answer[] {
    const answers = this.siblings(answer.id).filter((message) => message.role === 'assistant');
    const other = answers.findLast(({ id, beside }) => beside === answer.id || answer.beside === id);
    return other === undefined ? [answer] : answers.filter((one) => one === other || one.id === answer.id);
  }

  /** Returns the leaf of the newest branch below `id`; `id` itself if it has no children. */
  newestLeaf(id: string | null): Message | undefined {
    let at = id === null ? undefined : this.#byId.get(id);
    for (let steps = this.#byId.size; steps > 0; steps -= 1) {
      const next = this.#children.get(at?.id ?? null)?.at(-1);
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  /**
   * Returns the id of the leaf to show after a message is deleted: the newest one below a sibling, otherwise the
   * message before it; null if there is none.
   */
  leafWithout(message: Message): string | null {
    const sibling = this.siblings(message.id).findLast(({ id }) => id !== message.id);
    return sibling === undefined ? message.parent : (this.newestLeaf(sibling.id)?.id ?? null);
  }

  idsBelow(id: string): string[] {
    const ids = new Set([id]);
    // The set grows during the iteration. Each id is visited once, even in a cycle.
    for (const at of ids) for (const child of this.#children.get(at) ?? []) ids.add(child.id);
    return [...ids];
  }

  /** Undefined for a first message, and for one whose parent another tab has deleted, which is shown beside the first ones. */
  #parentOf(message: Message): Message | undefined {
    return message.parent === null ? undefined : this.#byId.get(message.parent);
  }
}
