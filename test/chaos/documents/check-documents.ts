import { sleep } from '../../../src/shared/timeout.ts';
import type { DocumentReply, DocumentRequest, StoredDocuments } from '../in-page/documents.ts';
import { contentOf, type DocumentLedger, type LedgerFile, type LedgerStore } from './document-ledger.ts';
import { wordOfFile, wordOfPart } from './document-texts.ts';

/** Milliseconds for a request while no fault happens. */
const REQUEST_TIME = 60_000;

/** Milliseconds within which the files of a store must be indexed, or else have failed. */
const INDEXING_TIME = 180_000;

interface Listed {
  readonly id: string;
  readonly filename: string;
  readonly name: string;
}

interface StoreFile {
  readonly id: string;
  readonly status: string;
  readonly last_error: { readonly message: string } | null;
}

interface StoreObject {
  readonly status: string;
  readonly file_counts: Readonly<Record<string, number>>;
}

interface Result {
  readonly file_id: string;
  readonly content: readonly { readonly text: string }[];
}

export interface CheckOptions {
  readonly tab: CheckedTab;
  readonly origin: string;
  readonly ledgers: readonly DocumentLedger[];
  /** Whether a fault since the last check lets indexing fail, such as a full disk. */
  readonly mayFail: boolean;
  /** Milliseconds for the engine to delete what an interrupted deletion has left. Default: 20,000. */
  readonly tidyingTime?: number;
  /** Milliseconds between two looks at a store that is being indexed. Default: 300. */
  readonly pollInterval?: number;
}

/** The tab through which everything is read. */
interface CheckedTab {
  call(name: 'sendDocuments', origin: string, request: DocumentRequest): Promise<DocumentReply | null>;
  callBriefly(name: 'readStored', origin: string, words: readonly string[]): Promise<StoredDocuments | null>;
}

/** What a check of all documents has found. */
export interface CheckResult {
  /** A sentence for each thing that is not as promised. */
  readonly defects: readonly string[];
  readonly files: number;
  readonly stores: number;
  readonly indexed: number;
  /** Files that the browser uploaded twice, because it repeats a request whose service worker died. */
  readonly repeated: number;
}

/** Compares all that is stored with what the clients know, and settles what they are unsure of. No client works meanwhile. */
export async function checkDocuments(options: CheckOptions): Promise<CheckResult> {
  const check = new DocumentCheck(options);
  await check.run();
  return check.result;
}

class DocumentCheck {
  readonly #options: CheckOptions;
  readonly #defects: string[] = [];
  #indexed = 0;
  #repeated = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  get result(): CheckResult {
    const [files, stores] = [this.#files.length, this.#stores.length];
    return { defects: this.#defects, files, stores, indexed: this.#indexed, repeated: this.#repeated };
  }

  async run(): Promise<void> {
    await this.#settleFiles();
    await this.#settleStores();
    for (const file of this.#files) await this.#checkContent(file);
    for (const store of this.#stores) await this.#checkStore(store);
    await this.#checkBytes();
    for (const ledger of this.#options.ledgers) {
      ledger.files.splice(0, ledger.files.length, ...ledger.files.filter(({ state }) => state === 'there'));
      ledger.stores.splice(0, ledger.stores.length, ...ledger.stores.filter(({ state }) => state === 'there'));
    }
  }

  get #files(): readonly LedgerFile[] {
    return this.#options.ledgers.flatMap(({ files }) => files).filter(({ state }) => state === 'there');
  }

  get #stores(): readonly LedgerStore[] {
    return this.#options.ledgers.flatMap(({ stores }) => stores).filter(({ state }) => state === 'there');
  }

  async #settleFiles(): Promise<void> {
    const listed = await this.#list('/files?limit=10000', ({ filename }) => filename);
    const known = this.#options.ledgers.flatMap(({ files }) => files);
    await this.#settle('file', known, listed, '/files');
  }

  async #settleStores(): Promise<void> {
    const listed = await this.#list('/vector_stores?limit=100', ({ name }) => name);
    const known = this.#options.ledgers.flatMap(({ stores }) => stores);
    await this.#settle('store', known, listed, '/vector_stores');
  }

  /** Finds out what there is of what clients are unsure of, and deletes what they do not know of. */
  async #settle(
    what: string,
    known: readonly { readonly name: string; id: string | null; state: LedgerFile['state'] }[],
    listed: ReadonlyMap<string, string>,
    path: string,
  ): Promise<void> {
    const names = new Map(known.map((entry) => [entry.name, entry]));
    for (const [id, name] of listed) {
      const entry = names.get(name);
      if (entry?.state === 'unsure' && entry.id === null) entry.id = id;
      if (entry?.id === id && entry.state !== 'gone') continue;
      if (entry === undefined) this.#defects.push(`The ${what} ${name} belongs to nobody.`);
      else if (entry.id === id) this.#defects.push(`The ${what} ${name} was deleted, and is there.`);
      else this.#repeated += 1;
      await this.#request('DELETE', `${path}/${id}`);
    }
    for (const entry of known) {
      const isThere = entry.id !== null && listed.has(entry.id);
      if (entry.state === 'there' && !isThere) this.#defects.push(`The ${what} ${entry.name} is lost.`);
      entry.state = isThere && entry.state !== 'gone' ? 'there' : 'gone';
    }
  }

  async #checkContent(file: LedgerFile): Promise<void> {
    const reply = await this.#request('GET', `/files/${file.id}/content`);
    if (reply?.text !== contentOf(file))
      this.#defects.push(`The content of ${file.name} is not whole: ${reply?.status}.`);
  }

  async #checkStore(store: LedgerStore): Promise<void> {
    const path = `/vector_stores/${store.id}`;
    const described = await this.#indexedStore(path);
    if (described === null) return void this.#defects.push(`The store ${store.name} does not end to index.`);
    const reply = await this.#json<{ data: readonly StoreFile[] }>('GET', `${path}/files?limit=100`);
    const files = new Map((reply?.data ?? []).map((file) => [file.id, file]));
    const counts: Record<string, number> = { in_progress: 0, completed: 0, failed: 0, cancelled: 0, total: files.size };
    for (const { status } of files.values()) counts[status] = (counts[status] ?? 0) + 1;
    if (JSON.stringify(counts) !== JSON.stringify({ ...counts, ...described.file_counts })) {
      this.#defects.push(
        `The counts of ${store.name} are ${JSON.stringify(described.file_counts)}, not ${JSON.stringify(counts)}.`,
      );
    }
    for (const [file, state] of store.files) {
      const found = file.state === 'there' ? files.get(file.id!) : undefined;
      files.delete(file.id!);
      if (state === 'there' && file.state === 'there' && found === undefined) {
        this.#defects.push(`${file.name} is lost from ${store.name}.`);
      }
      if (state === 'gone' && found !== undefined) this.#defects.push(`${file.name} is still in ${store.name}.`);
      if (found === undefined) store.files.delete(file);
      else {
        store.files.set(file, 'there');
        await this.#checkIndexed(store, file, found);
      }
    }
    for (const id of files.keys()) this.#defects.push(`${store.name} has a file that nobody added: ${id}.`);
  }

  async #indexedStore(path: string): Promise<StoreObject | null> {
    const end = performance.now() + INDEXING_TIME;
    while (performance.now() < end) {
      const store = await this.#json<StoreObject>('GET', path);
      if (store?.status === 'completed') return store;
      await sleep(this.#options.pollInterval ?? 300);
    }
    return null;
  }

  async #checkIndexed(store: LedgerStore, file: LedgerFile, { id, status, last_error }: StoreFile): Promise<void> {
    const where = `${file.name} in ${store.name}`;
    if (status === 'cancelled' && store.isCancelled) return;
    if (status === 'failed') {
      if (!last_error?.message) this.#defects.push(`${where} failed without a reason.`);
      if (file.isText && !this.#options.mayFail) this.#defects.push(`${where} failed: ${last_error?.message}`);
      return;
    }
    if (status !== 'completed' || !file.isText) return void this.#defects.push(`${where} is ${status}.`);
    this.#indexed += 1;
    for (const part of new Set([0, file.parts - 1])) {
      const word = wordOfPart(file.number, part);
      const body = { query: word, max_num_results: 1 };
      const found = await this.#json<{ data: readonly Result[] }>('POST', `/vector_stores/${store.id}/search`, body);
      const [first] = found?.data ?? [];
      if (first?.file_id === id && first.content[0]?.text.includes(word)) continue;
      this.#defects.push(`Part ${part} of ${where} is not found: ${JSON.stringify(found).slice(0, 200)}`);
    }
  }

  /** What is deleted must have left no byte, and what is there no more than its bytes. */
  async #checkBytes(): Promise<void> {
    const { tab, origin, ledgers, tidyingTime = 20_000 } = this.#options;
    const gone = ledgers.flatMap(({ files }) => files).filter(({ state }) => state === 'gone');
    const words = gone.map(({ number }) => wordOfFile(number));
    const wanted = this.#stores.reduce((sum, { files }) => sum + files.size, this.#files.length);
    const end = performance.now() + tidyingTime;
    for (;;) {
      const stored = await tab.callBriefly('readStored', origin, words);
      const own = stored?.blobs.filter((name) => !name.includes(' bundle ')) ?? [];
      const tooMany = own.length > wanted;
      if (stored !== null && stored.found.length === 0 && !tooMany) return;
      if (performance.now() < end) await sleep(1000);
      else {
        if (tooMany) this.#defects.push(`${own.length} blobs for ${wanted} files: ${own.join(', ')}`);
        if (stored === null) this.#defects.push('What is stored cannot be read.');
        else if (stored.found.length > 0) this.#defects.push(`Of deleted files there is ${stored.found.join('; ')}.`);
        return;
      }
    }
  }

  async #list(path: string, nameOf: (entry: Listed) => string): Promise<ReadonlyMap<string, string>> {
    const page = await this.#json<{ data: readonly Listed[] }>('GET', path);
    if (page === null) throw new Error(`${path} cannot be listed.`);
    return new Map(page.data.map((entry) => [entry.id, nameOf(entry)]));
  }

  async #json<Body>(method: string, path: string, body: object | null = null): Promise<Body | null> {
    const reply = await this.#request(method, path, body);
    if (reply?.status === 200) return JSON.parse(reply.text) as Body;
    this.#defects.push(`${method} ${path} gets ${reply?.status}: ${reply?.text.slice(0, 200)}`);
    return null;
  }

  /** Sends a request, and repeats it as clients do if it fails for a reason that may pass. */
  async #request(method: string, path: string, body: object | null = null): Promise<DocumentReply | null> {
    const { tab, origin } = this.#options;
    const request = { method, path, body, upload: null, abortAfter: REQUEST_TIME };
    let reply: DocumentReply | null = null;
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      reply = await tab.call('sendDocuments', origin, request).catch(() => null);
      if (reply !== null && reply.status < 500) break;
      await sleep(1000);
    }
    return reply;
  }
}
