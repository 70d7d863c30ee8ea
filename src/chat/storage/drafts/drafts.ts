import type { DraftKeeper } from './draft-keeper.ts';

/**
 * Where a text is being written: the id of a conversation or of an edited question. Null means the new chat of this
 * tab, undefined the temporary chat, whose texts are never stored.
 */
export type DraftOwner = string | null | undefined;

/**
 * The unfinished texts of this tab, in memory. {@link DraftKeeper}, which is loaded after the page is drawn, stores
 * them on the device.
 * @fires change - a text was read from the device, or whether texts can be stored has changed.
 * @fires settings - the settings of the new chat were taken over from a closed tab.
 */
export class Drafts extends EventTarget {
  /** Written texts, as far as they were read from the device. */
  readonly texts = new Map<DraftOwner, string>();
  /** Owners whose text could not be stored. */
  readonly unkept = new Set<DraftOwner>();
  #keeper: Promise<DraftKeeper> | null = null;

  read(owner: DraftOwner): string {
    return this.texts.get(owner) ?? '';
  }

  /** Changes a text and stores it soon. Called on every input event. */
  write(owner: DraftOwner, text: string): void {
    this.texts.set(owner, text);
    if (owner !== undefined)
      this.keep((keeper) => keeper.changed(owner)).catch(() => {
        this.unkept.add(owner);
        this.dispatchEvent(new Event('change'));
      });
  }

  /** Puts a text before what has been written for the same owner. */
  prepend(owner: DraftOwner, text: string): void {
    this.write(owner, joined([text, this.read(owner)]));
  }

  /** Gives a text another owner, such as a new chat that gets its id. */
  move(from: DraftOwner, to: DraftOwner): void {
    this.write(to, this.read(from));
    this.write(from, '');
  }

  /** Calls `action` when the code that stores drafts is loaded. Rejects if it cannot be loaded; a later call tries again. */
  async keep<Result>(action: (keeper: DraftKeeper) => Result): Promise<Awaited<Result>> {
    this.#keeper ??= this.#load();
    return await action(await this.#keeper);
  }

  /** Calls `action` like {@link keep}, for callers that do not wait. If the code cannot be loaded, nothing is stored. */
  tell(action: (keeper: DraftKeeper) => unknown): void {
    this.keep(action).catch((error: unknown) => console.info('No draft is stored.', error));
  }

  async #load(): Promise<DraftKeeper> {
    try {
      const { DraftKeeper } = await import('./draft-keeper.ts');
      return new DraftKeeper(this);
    } catch (error) {
      this.#keeper = null;
      throw error;
    }
  }
}

/** Joins texts as paragraphs. */
export function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

export const drafts = new Drafts();
