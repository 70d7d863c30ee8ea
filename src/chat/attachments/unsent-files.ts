import { errorMessage } from '../../shared/error-message.ts';
import type { Attachment } from '../types/conversation.ts';
import { deleteStoredFiles, storeFile, storedFile, storedFiles, watchStoredFiles } from './store-unsent-files.ts';
import { MAX_IN_FIELD } from './long-text.ts';
import { LARGEST_FILE, MAX_TEXT, readAttachment } from './read-attachment.ts';
import { isKeptAlike, isRead, itemOf, type TrayItem } from './tray-item.ts';

/**
 * Id of the chat that files belong to. Null for a new chat; undefined for the temporary chat, whose files are not
 * stored.
 */
export type FileOwner = string | null | undefined;

/** Milliseconds from a failed write to the next one. */
const RETRY_DELAY = 2000;

/**
 * Files that were added to the next question of a chat and have not been sent. They survive a change of screen and, if
 * they can be stored, a reload. To save memory, one file is read at a time. Changes by other tabs appear here, except
 * added files, which appear when the chat is opened again.
 * @fires change - the files, or what is known about a file, changed.
 */
class UnsentFiles extends EventTarget {
  readonly #items = new Map<FileOwner, readonly TrayItem[]>();
  /** Ids of files whose last write failed, with whether they have never been stored. */
  readonly #failed = new Map<string, boolean>();
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Files that wait to be read, and whether an earlier page may have begun to read them. */
  readonly #unread: { readonly item: TrayItem; readonly isAgain: boolean }[] = [];
  #isReading = false;

  constructor() {
    super();
    watchStoredFiles((ids) => {
      for (const [owner, items] of this.#items)
        for (const { id } of items) if (ids.includes(id)) void this.#follow(owner, id);
    });
  }

  of(owner: FileOwner): readonly TrayItem[] {
    return this.#items.get(owner) ?? [];
  }

  /**
   * Replaces the files of a chat, and stores those that changed.
   * @returns Settles when they are stored, and removed ones deleted, or cannot be.
   */
  async set(owner: FileOwner, items: readonly TrayItem[]): Promise<void> {
    const storing: Promise<void>[] = [];
    const before = new Map(this.of(owner).map((item) => [item.id, item]));
    this.#show(owner, items);
    for (const [index, item] of items.entries()) {
      const known = before.get(item.id);
      before.delete(item.id);
      if (known === undefined || !isKeptAlike(known, item))
        storing.push(this.#keep(owner, item, known === undefined, index));
    }
    if (owner !== undefined) storing.push(this.#forget([...before.keys()]));
    await Promise.all(storing);
  }

  /**
   * Takes files out of the tray to send them. They stay stored until that is done.
   * @returns A function to call when it is done, or has failed. After a failure the files are whole again in front of those
   * added since, also where only passages were to be sent.
   */
  take(owner: FileOwner, ids: ReadonlySet<string>): (isSent: boolean) => void {
    const taken = this.of(owner).filter(({ id }) => ids.has(id));
    this.#show(
      owner,
      this.of(owner).filter(({ id }) => !ids.has(id)),
    );
    return (isSent) => {
      if (isSent) return owner !== undefined && void this.#forget([...ids]);
      const held = this.of(owner);
      this.#show(owner, [...taken.filter(({ id }) => !held.some((item) => item.id === id)), ...held]);
      for (const [index, item] of taken.entries()) if (item.isUnkept) void this.#keep(owner, item, true, index);
    };
  }

  /**
   * Removes the files of a chat and stops reading them.
   * @returns Settles when they are deleted or cannot be.
   */
  clear(owner: FileOwner): Promise<void> {
    for (const { removal } of this.of(owner)) removal.abort();
    return this.set(owner, []);
  }

  change(id: string, changes: Partial<TrayItem>): void {
    for (const [owner, items] of this.#items) {
      if (!items.some((item) => item.id === id)) continue;
      void this.set(
        owner,
        items.map((item) => (item.id === id ? { ...item, ...changes } : item)),
      );
    }
  }

  /** Shows files at once, then reads them one after the other. */
  add(owner: FileOwner, files: readonly File[]): void {
    const added = files.map((source): TrayItem => {
      const { name, size } = source;
      const removal = new AbortController();
      return { id: crypto.randomUUID(), name, size, removal, part: 'passages', source, readings: 1 };
    });
    void this.set(owner, [...this.of(owner), ...added]);
    this.#readUnread(added, false);
  }

  /** Adds a text as a file, without reading it as a document: markup in it stays. */
  addText(owner: FileOwner, name: string, whole: string): void {
    const text = whole.slice(0, MAX_TEXT);
    const file = { id: crypto.randomUUID(), name, size: new Blob([whole]).size };
    const attachment = { ...file, kind: 'text', part: 'whole', text } as const;
    const isText = whole.length <= MAX_IN_FIELD;
    const note = text === whole ? {} : ({ note: 'cut' } as const);
    const item = { ...file, removal: new AbortController(), part: 'passages', attachment, isText, ...note } as const;
    void this.set(owner, [...this.of(owner), item]);
  }

  /**
   * Adds attachments of a question, in front of the files that are there.
   * @returns Settles when they are stored or cannot be.
   */
  restore(owner: FileOwner, attachments: readonly Attachment[]): Promise<void> {
    const items = attachments.map((attachment) => {
      const { id, name, size } = attachment;
      return itemOf({ id, name, size, part: 'passages', attachment });
    });
    return this.set(owner, [...items, ...this.of(owner)]);
  }

  /**
   * Undoes {@link clear}.
   * @param items The files that the chat had.
   * @returns Settles when they are stored or cannot be.
   */
  async bringBack(owner: FileOwner, items: readonly TrayItem[]): Promise<void> {
    const again = items.map(itemOf);
    const stored = this.set(owner, again);
    this.#readUnread(again, true);
    await stored;
  }

  move(from: FileOwner, to: FileOwner): void {
    const items = this.of(from);
    this.#show(from, []);
    // Storing a file for `to` takes it away from `from`, because the database identifies a file by its id.
    void this.set(to, [...items, ...this.of(to)]);
  }

  /**
   * Adds the files of a chat that are stored on the device.
   * @throws ApiError `storage_unavailable` if the database cannot be opened.
   */
  async open(owner: FileOwner): Promise<void> {
    if (owner === undefined) return;
    const kept = await storedFiles(owner);
    const held = this.of(owner);
    const found = kept.filter(({ id }) => !held.some((item) => item.id === id)).map(itemOf);
    if (found.length > 0) this.#show(owner, [...found, ...held]);
    this.#readUnread(found, true);
  }

  /**
   * Settles when the files of a chat are read or have failed. Those of other chats are read later, except the one that is
   * being read.
   */
  async read(owner: FileOwner): Promise<void> {
    const isReading = () => this.of(owner).some(({ attachment, problem }) => !attachment && problem === undefined);
    const isOwn = ({ item }: { readonly item: TrayItem }) => this.of(owner).some(({ id }) => id === item.id);
    while (isReading()) {
      this.#unread.sort((one, other) => +isOwn(other) - +isOwn(one));
      await new Promise((resolve) => this.addEventListener('change', resolve, { once: true }));
    }
  }

  #show(owner: FileOwner, items: readonly TrayItem[]): void {
    if (items.length === 0) this.#items.delete(owner);
    else this.#items.set(owner, items);
    this.dispatchEvent(new Event('change'));
  }

  /**
   * Reads files one after the other, if they have not been read.
   * @param isAgain Whether an earlier page may have begun to read them.
   */
  #readUnread(items: readonly TrayItem[], isAgain: boolean): void {
    this.#unread.push(...items.map((item) => ({ item, isAgain })));
    if (!this.#isReading) void this.#readAll();
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#unread.shift(); next; next = this.#unread.shift())
      if (next.item.source) await this.#read(next.item, next.item.source, next.isAgain);
    this.#isReading = false;
  }

  /**
   * Stores that one more page begins to read a file. The files that wait for it are not counted: if the page ends, they are
   * not the reason.
   */
  async #countReading(id: string): Promise<void> {
    for (const [owner, items] of this.#items) {
      const index = items.findIndex((item) => item.id === id);
      const item = items[index];
      if (item === undefined) continue;
      const counted = { ...item, readings: (item.readings ?? 0) + 1 };
      this.#items.set(owner, items.with(index, counted));
      return this.#keep(owner, counted, false, index);
    }
  }

  async #read({ id, removal: { signal } }: TrayItem, file: File, isAgain: boolean): Promise<void> {
    if (signal.aborted) return;
    if (isAgain) await this.#countReading(id);
    try {
      this.change(id, await readAttachment(file, signal));
    } catch (thrown) {
      if (!signal.aborted) this.change(id, { problem: errorMessage(thrown) });
    }
  }

  /**
   * Stores a file on the device. If that fails, it is tried again until it succeeds or the file leaves the tray.
   * @param index Position in the tray. It keeps the order of files that are stored in the same millisecond.
   */
  async #keep(owner: FileOwner, item: TrayItem, isAdded: boolean, index: number): Promise<void> {
    if (owner === undefined) return;
    const { removal: _, tokens: __, encoding: ___, isText: ____, isUnkept, ...kept } = item;
    const { source, readings = 0, problem, ...file } = kept;
    // A page that tells a problem has not ended while it read the file.
    const counted = problem === undefined ? readings : 0;
    const unread = !isRead(item) && source && source.size <= LARGEST_FILE && { source, readings: counted };
    const state = unread || (problem === undefined ? {} : { problem });
    const added = Date.now() + index / 1000;
    const isNew = isAdded || this.#failed.get(item.id) === true;
    let isKept = false;
    try {
      isKept = await storeFile(owner, { ...file, ...state, added }, isNew);
      this.#failed.delete(item.id);
    } catch (error) {
      if (isUnkept !== true) console.info('A file is not kept.', error);
      this.#failed.set(item.id, isNew);
      if (this.#retry === undefined) this.#retry = setTimeout(() => this.#keepFailed(), RETRY_DELAY);
    }
    if (isKept === (isUnkept === true)) this.change(item.id, { isUnkept: !isKept });
  }

  #keepFailed(): void {
    this.#retry = undefined;
    const failed = new Set(this.#failed.keys());
    for (const [owner, items] of this.#items)
      for (const [index, item] of items.entries())
        if (failed.delete(item.id)) void this.#keep(owner, item, false, index);
    // These are in no tray any more.
    for (const id of failed) this.#failed.delete(id);
  }

  async #forget(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await deleteStoredFiles(ids).catch((error: unknown) => console.info('Files are still kept.', error));
  }

  /** Updates or removes a file after another tab changed or deleted it. */
  async #follow(owner: FileOwner, id: string): Promise<void> {
    if (owner === undefined) return;
    const kept = await storedFile(owner, id).catch(() => null);
    const items = this.of(owner);
    const held = items.find((item) => item.id === id);
    // Nothing to show: the database failed, this tab no longer has the file, or the other tab is still reading it.
    if (kept === null || held === undefined || (kept && !kept.attachment && !kept.problem)) return;
    if (kept === undefined) held.removal.abort();
    const now = kept === undefined ? [] : [{ ...itemOf(kept), removal: held.removal }];
    this.#show(
      owner,
      items.flatMap((item) => (item === held ? now : [item])),
    );
  }
}

export const unsentFiles = new UnsentFiles();
