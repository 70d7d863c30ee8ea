import { sleep, withTimeout } from '../../../shared/timeout.ts';
import { finishDeletions, forgetDeletion, noteDeletion } from './deletions.ts';
import { joined, type DraftOwner, type Drafts } from './drafts.ts';
import { claimText, hasFiles, putTexts, releaseText, storeTexts, takeTexts, thisTab } from './store-drafts.ts';
import { readSettings, storeSettings } from './store-new-chat-settings.ts';
import { READ_AGAIN } from '../read-again.ts';

/** Milliseconds from a key to the write. A crash of the browser loses at most the text of this time. */
const WRITE_DELAY = 400;
/** Milliseconds from a failed write to the next one. */
const RETRY_DELAY = 2000;
/** Milliseconds after which a write counts as failed. */
const WRITE_TIME = 5000;

/** Key in sessionStorage of the texts that are not stored. It outlives the page, also if that crashes. */
const LEFT = 'tabserve-unwritten';

/**
 * Stores the texts of {@link Drafts}. They are read from the device when their field is shown and written soon after
 * each change, but never before they are read. What cannot be stored stays in memory and is tried again.
 */
export class DraftKeeper {
  readonly #drafts: Drafts;
  /** Questions that are being sent. They are stored with the text of their field until they are stored in the chat. */
  readonly #sending = new Map<DraftOwner, readonly string[]>();
  readonly #unwritten = new Set<string | null>();
  readonly #reads = new Map<string | null, Promise<void>>();
  /** Number of fields on the screen by owner: a chat that is left is still on the page for a moment. */
  readonly #shown = new Map<DraftOwner, number>();
  /** Owners whose stored text was read. */
  readonly #known = new Set<string | null>();
  /** Texts that the page before a reload could not store. */
  readonly #left = new Map(readLeft());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #hasFailed = false;
  /** Whether texts may be in sessionStorage. */
  #isAside = this.#left.size > 0;

  constructor(drafts: Drafts) {
    this.#drafts = drafts;
    // In two places: a database may not end its work when a page is left.
    addEventListener('pagehide', () => {
      this.#putAside();
      void this.flush();
    });
    addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.flush());
    for (const owner of this.#left.keys()) this.changed(owner);
  }

  /**
   * Reads the text of a field from the device, unless it is in memory. Text that is typed meanwhile comes after it. Call
   * {@link hide} when the field is gone.
   */
  async show(owner: DraftOwner): Promise<string> {
    this.#shown.set(owner, (this.#shown.get(owner) ?? 0) + 1);
    if (owner !== undefined) await this.#readShown(owner);
    return this.#drafts.read(owner);
  }

  /**
   * Reads a text, and tries again while its field is shown. A text that cannot be read stays on the device, because a text is
   * only written after a read.
   */
  async #readShown(owner: string | null): Promise<void> {
    await this.#read(owner).catch((error: unknown) => {
      console.info('No draft is read.', error);
      setTimeout(() => this.#shown.has(owner) && void this.#readShown(owner), READ_AGAIN);
    });
  }

  /** Lets other tabs show the stored text, if no other field of this tab does. That of the new chat stays here. */
  hide(owner: DraftOwner): void {
    const left = (this.#shown.get(owner) ?? 1) - 1;
    if (left > 0) return void this.#shown.set(owner, left);
    this.#shown.delete(owner);
    if (owner !== undefined) void this.flush().then(() => this.#release(owner));
  }

  /** Called after a text was changed, to store it soon. */
  changed(owner: string | null): void {
    this.#unwritten.add(owner);
    // While the database fails, as it does when the site's data are being cleared, a crash would lose the text.
    if (this.#hasFailed) this.#putAside();
    this.#timer ??= setTimeout(() => void this.flush(), this.#hasFailed ? RETRY_DELAY : WRITE_DELAY);
  }

  /** Deletes the stored text of a field that is not shown any more. */
  discard(owner: string): void {
    if (!this.#reads.has(owner)) this.#left.set(owner, { text: '', isWhole: true });
    this.#drafts.write(owner, '');
  }

  readonly hasFiles = hasFiles;
  readonly finishDeletions = finishDeletions;
  readonly storeSettings = async (changes: Parameters<typeof storeSettings>[1]) =>
    storeSettings(await thisTab(), changes);

  /** Reads the kept settings of the new chat. A database that does not open is tried again until it does. */
  async readSettings(): ReturnType<typeof readSettings> {
    for (;;) {
      try {
        return await readSettings(await thisTab());
      } catch (error) {
        console.info('No settings are read.', error);
        await sleep(READ_AGAIN);
      }
    }
  }

  /**
   * Keeps a question stored in its field, which it has left.
   * @param ended Settles when the question is stored elsewhere, or is to be put back.
   */
  async send(owner: DraftOwner, question: string, ended: Promise<unknown>): Promise<void> {
    this.#sending.set(owner, [...(this.#sending.get(owner) ?? []), question]);
    await ended;
    const sending = [...(this.#sending.get(owner) ?? [])];
    sending.splice(sending.indexOf(question), 1);
    if (sending.length > 0) this.#sending.set(owner, sending);
    else this.#sending.delete(owner);
    if (owner !== undefined) this.changed(owner);
  }

  /** Stores what has changed. Settles when it is stored or has failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#inOrder(() => this.#store());
  }

  /** Deletes messages by `remove`, and their texts. What an interruption leaves of these is deleted later. */
  async deleteWith(ids: readonly string[], remove: () => Promise<unknown>): Promise<void> {
    await noteDeletion(ids);
    try {
      await remove();
    } catch (error) {
      await forgetDeletion(ids[0]!);
      throw error;
    }
    await this.take(ids);
  }

  /** Deletes the texts of these owners, of all tabs. Returns what brings them back. */
  async take(owners: readonly string[]): Promise<() => Promise<void>> {
    await this.flush();
    try {
      const taken = await takeTexts(owners);
      return () => putTexts(taken);
    } catch (error) {
      console.info('Drafts are still kept.', error);
      return () => Promise.resolve();
    } finally {
      for (const owner of owners) {
        this.#forget(owner);
        this.#unwritten.delete(owner);
        this.#left.delete(owner);
      }
      if (this.#hasFailed) this.#putAside();
    }
  }

  /** What must be found after a crash: questions that are being sent, and the text of the field. */
  #toStore(owner: string | null): string {
    return joined([...(this.#sending.get(owner) ?? []), this.#drafts.read(owner)]);
  }

  #read(owner: string | null): Promise<void> {
    const known = this.#reads.get(owner);
    if (known !== undefined) return known;
    const reading = this.#claim(owner);
    this.#reads.set(owner, reading);
    reading.catch(() => this.#reads.delete(owner));
    return reading;
  }

  async #claim(owner: string | null): Promise<void> {
    const stored = await claimText(owner);
    const left = this.#left.get(owner) ?? { text: '', isWhole: false };
    this.#left.delete(owner);
    this.#known.add(owner);
    const isNew = !left.isWhole && !stored.includes(left.text);
    const text = left.isWhole ? left.text : joined([stored, isNew ? left.text : '']);
    if (text === '') return;
    this.#drafts.texts.set(owner, joined([text, this.#drafts.read(owner)]));
    this.#drafts.dispatchEvent(new Event('change'));
  }

  async #store(): Promise<void> {
    const texts = new Map([...this.#unwritten].map((owner) => [owner, '']));
    if (texts.size === 0) return;
    const hasFailed = this.#hasFailed;
    try {
      const storing = async (): Promise<true> => {
        for (const owner of texts.keys()) await this.#read(owner);
        for (const owner of texts.keys()) texts.set(owner, this.#toStore(owner));
        await storeTexts(texts);
        return true;
      };
      if (!(await withTimeout(WRITE_TIME, storing(), false))) throw new Error('It took too long.');
      this.#hasFailed = false;
      for (const [owner, text] of texts) {
        this.#drafts.unkept.delete(owner);
        if (this.#toStore(owner) === text) this.#unwritten.delete(owner);
        void this.#release(owner);
      }
      if (this.#isAside) this.#putAside();
    } catch (error) {
      if (!hasFailed) console.info('A draft is not stored.', error);
      this.#hasFailed = true;
      for (const owner of texts.keys()) {
        this.#drafts.unkept.add(owner);
        this.changed(owner);
      }
      this.#putAside();
    }
    if (hasFailed !== this.#hasFailed) this.#drafts.dispatchEvent(new Event('change'));
  }

  /** Gives a stored text back if no field shows it and nothing is being sent from it. */
  async #release(owner: string | null): Promise<void> {
    if (owner === null) return;
    await this.#inOrder(async () => {
      const isUsed = this.#shown.has(owner) || this.#unwritten.has(owner) || this.#sending.has(owner);
      if (isUsed || !this.#reads.has(owner)) return;
      this.#forget(owner);
      await releaseText(owner);
    }).catch((error: unknown) => console.info('A draft is still that of this tab.', error));
  }

  #forget(owner: string): void {
    this.#drafts.texts.delete(owner);
    this.#reads.delete(owner);
    this.#known.delete(owner);
  }

  #inOrder<Result>(action: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(action);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** Stores in sessionStorage what is not in the database. */
  #putAside(): void {
    const left = new Map(this.#left);
    for (const owner of this.#unwritten) {
      // What an earlier page has put aside stays until the stored text can be read.
      const { text: before, isWhole } = left.get(owner) ?? { text: '', isWhole: this.#known.has(owner) };
      left.set(owner, { text: joined([before, this.#toStore(owner)]), isWhole });
    }
    this.#isAside = left.size > 0;
    if (!this.#isAside) return sessionStorage.removeItem(LEFT);
    try {
      sessionStorage.setItem(LEFT, JSON.stringify([...left]));
    } catch {
      // There is no room. The next write to the database may succeed.
    }
  }
}

/** A text that was not stored. */
interface LeftText {
  readonly text: string;
  /** Whether the stored text had been read, so that this one replaces it. Otherwise it comes after it. */
  readonly isWhole: boolean;
}

/** Returns what was put aside. It stays there until it is stored. */
function readLeft(): readonly (readonly [string | null, LeftText])[] {
  const left = JSON.parse(sessionStorage.getItem(LEFT) ?? '[]') as [string | null, LeftText | string][];
  // Builds until November 2026 left the text only.
  return left.map(([owner, text]) => [owner, typeof text === 'string' ? { text, isWhole: true } : text]);
}
