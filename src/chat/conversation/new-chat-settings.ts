import { withTimeout } from '../../shared/timeout.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { newChatSettings } from '../storage/local-storage-values.ts';
import type { ConversationSettings } from '../types/conversation.ts';

/** Milliseconds for which the first question of a chat waits for the kept settings to be read. */
const READ_TIME = 3000;

const ofStores = new WeakMap<ConversationStore, NewChatSettings>();

/**
 * The settings of a new chat before its first question. What was changed in them is kept on the device with the draft, except
 * in a temporary chat, and survives a visit to another chat or screen.
 * @fires change - the kept settings were read.
 */
export class NewChatSettings extends EventTarget {
  /** Settles when the kept settings are read, or that takes too long; null if they are not being read. */
  reading: Promise<unknown> | null = null;
  readonly #isTemporary: boolean;
  #changes: Partial<ConversationSettings> = {};
  #isRead: boolean;

  private constructor(isTemporary: boolean) {
    super();
    this.#isTemporary = this.#isRead = isTemporary;
    if (!isTemporary) drafts.addEventListener('settings', () => this.#read());
  }

  /** Returns those of the new chat in a store. */
  static of(store: ConversationStore): NewChatSettings {
    const settings = ofStores.get(store) ?? new NewChatSettings(store.isTemporary);
    ofStores.set(store, settings);
    return settings;
  }

  /** Reads what is kept, unless that was done. */
  recall(): void {
    if (!this.#isRead && this.reading === null) this.#read();
  }

  get current(): ConversationSettings {
    return { ...newChatSettings(), ...this.#changes };
  }

  /**
   * Changes them, at once, and stores the change. A chosen model is not stored, because new chats have the one that was used
   * last.
   * @throws Error if the change cannot be stored. It holds until this page is closed.
   */
  async change(changes: Partial<ConversationSettings>): Promise<void> {
    this.#changes = { ...this.#changes, ...changes };
    const isKept = Object.keys(changes).some((name) => name !== 'model');
    if (isKept && !this.#isTemporary) await drafts.keep((keeper) => keeper.storeSettings(changes));
  }

  /** @returns What to call when a chat with the present settings is stored: the next new chat does not get them. */
  taken(): () => void {
    const taken = this.#changes;
    return () => {
      // There is nothing to forget, or another new chat has changed them since.
      if (Object.keys(taken).length === 0 || this.#changes !== taken) return;
      this.#changes = {};
      if (!this.#isTemporary) drafts.tell((keeper) => keeper.storeSettings(null));
    };
  }

  /** Reads the kept settings. What is changed meanwhile comes after them. */
  #read(): void {
    const read = drafts.keep(async (keeper) => {
      this.#changes = { ...(await keeper.readSettings()), ...this.#changes };
      this.#isRead = true;
      this.dispatchEvent(new Event('change'));
    });
    const ended = withTimeout(READ_TIME, read, undefined)
      .catch((error: unknown) => console.info('No settings are read.', error))
      .finally(() => {
        if (this.reading === ended) this.reading = null;
      });
    this.reading = ended;
  }
}
