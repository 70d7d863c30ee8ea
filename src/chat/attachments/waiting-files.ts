import { messageOf } from '../common/action-controller.ts';
import type { Attachment } from '../storage/conversation.ts';
import { readAttachment } from './read-attachment.ts';
import type { TrayItem } from './tray-item.ts';

/** Whose files they are: the id of a chat, null for the new one, undefined for the temporary one. */
export type FileOwner = string | null | undefined;

/**
 * Files that wait for the next question of their chat, as long as the page is open: another chat, or another screen, may be
 * looked at meanwhile. They are read on this device, one after the other: two hundred at once would need the memory of all.
 * @fires change - there are others, or more is known of one.
 */
class WaitingFiles extends EventTarget {
  readonly #items = new Map<FileOwner, readonly TrayItem[]>();
  #reading: Promise<void> = Promise.resolve();

  of(owner: FileOwner): readonly TrayItem[] {
    return this.#items.get(owner) ?? [];
  }

  set(owner: FileOwner, items: readonly TrayItem[]): void {
    if (items.length === 0) this.#items.delete(owner);
    else this.#items.set(owner, items);
    this.dispatchEvent(new Event('change'));
  }

  /** Forgets them, and reads none of them any further. */
  clear(owner: FileOwner): void {
    for (const { removal } of this.of(owner)) removal.abort();
    this.set(owner, []);
  }

  change(id: string, changes: Partial<TrayItem>): void {
    for (const [owner, items] of this.#items) {
      if (!items.some((item) => item.id === id)) continue;
      this.set(
        owner,
        items.map((item) => (item.id === id ? { ...item, ...changes } : item)),
      );
    }
  }

  /** Shows files at once, and begins to read them. */
  add(owner: FileOwner, files: readonly File[]): void {
    const added = files.map((file) => {
      const { name, size } = file;
      const item: TrayItem = { id: crypto.randomUUID(), name, size, removal: new AbortController(), part: 'beginning' };
      this.#reading = this.#reading.then(() => this.#read(item, file));
      return item;
    });
    this.set(owner, [...this.of(owner), ...added]);
  }

  /** Has attachments wait that were read before, ahead of what has come since. */
  restore(owner: FileOwner, attachments: readonly Attachment[]): void {
    const items = attachments.map((attachment): TrayItem => {
      const { id, name, size } = attachment;
      return { id, name, size, removal: new AbortController(), part: 'beginning', attachment };
    });
    this.set(owner, [...items, ...this.of(owner)]);
  }

  /** Settles when all that has come is read, or cannot be. */
  async read(): Promise<void> {
    let reading;
    do await (reading = this.#reading);
    while (reading !== this.#reading);
  }

  async #read({ id, removal: { signal } }: TrayItem, file: File): Promise<void> {
    if (signal.aborted) return;
    try {
      this.change(id, await readAttachment(file, signal));
    } catch (thrown) {
      if (!signal.aborted) this.change(id, { problem: messageOf(thrown) });
    }
  }
}

export const waitingFiles = new WaitingFiles();
