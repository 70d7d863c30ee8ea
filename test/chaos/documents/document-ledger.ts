import { textOf } from './document-texts.ts';

/**
 * What is known of something that clients have made. `unsure`: a request that would make or delete it got no response, so that
 * it may be there or not, as a whole.
 */
export type Certainty = 'there' | 'unsure' | 'gone';

export interface LedgerFile {
  /** The number of its text. */
  readonly number: number;
  readonly name: string;
  readonly parts: number;
  /** Whether it can be indexed. */
  readonly isText: boolean;
  /** Null until a response has told it. */
  id: string | null;
  state: Certainty;
}

export interface LedgerStore {
  readonly name: string;
  id: string | null;
  state: Certainty;
  /** The files that were added to it. */
  readonly files: Map<LedgerFile, Certainty>;
  /** Ids of batches that were created, and not cancelled. */
  readonly batches: string[];
  /** Whether a batch of it was cancelled, so that files may be, too. */
  isCancelled: boolean;
}

/** Returns what the client has uploaded. */
export function contentOf({ number, parts, isText }: LedgerFile): string {
  const text = textOf(number, parts);
  // Control characters between all words: a single one would be taken for damage in a text.
  return isText ? text : text.replaceAll(' ', '\0\u0001\u0002');
}

/** What the clients of a run have uploaded, made and deleted. */
export class DocumentLedger {
  readonly files: LedgerFile[] = [];
  readonly stores: LedgerStore[] = [];
  #count: number;

  /** @param start Files and stores of this ledger are numbered from it, so that no other has the same. */
  constructor(start: number) {
    this.#count = start;
  }

  addFile(parts: number, isText: boolean): LedgerFile {
    const number = ++this.#count;
    const file: LedgerFile = {
      number,
      name: `notes-${number}.${isText ? 'txt' : 'bin'}`,
      parts,
      isText,
      id: null,
      state: 'unsure',
    };
    this.files.push(file);
    return file;
  }

  addStore(): LedgerStore {
    const store: LedgerStore = {
      name: `store-${++this.#count}`,
      id: null,
      state: 'unsure',
      files: new Map(),
      batches: [],
      isCancelled: false,
    };
    this.stores.push(store);
    return store;
  }

  /** Notes that all that is stored may be lost, because the site's data were cleared. */
  noteClearing(): void {
    for (const entry of [...this.files, ...this.stores]) if (entry.state === 'there') entry.state = 'unsure';
    for (const { files } of this.stores) {
      for (const [file, state] of files) if (state === 'there') files.set(file, 'unsure');
    }
  }
}
