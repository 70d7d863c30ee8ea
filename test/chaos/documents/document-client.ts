import { sleep } from '../../../src/shared/timeout.ts';
import type { DocumentReply, DocumentRequest } from '../in-page/documents.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Tabs } from '../tabs/tabs.ts';
import { contentOf, DocumentLedger, type Certainty, type LedgerFile, type LedgerStore } from './document-ledger.ts';
import { wordOfPart } from './document-texts.ts';

/** Milliseconds of a request that is not aborted earlier. */
const REQUEST_TIME = 60_000;

/** Share of the requests that the client aborts, and the most milliseconds until then. */
const ABORTED = { share: 0.08, after: 400 };

/** Most files and stores of a client, so that a check of all of them stays short. */
const MOST = { files: 10, stores: 3, parts: 400 };

type Outcome = 'done' | 'refused' | 'unsure';

/** Uses the files and vector stores of one tab. No other client changes them. */
export class DocumentClient {
  readonly ledger: DocumentLedger;
  /** The tabs of the browser that runs now. */
  tabs: Tabs;
  readonly #place: number;
  readonly #origin: string;
  /** Number of requests by their outcome. */
  readonly outcomes: Record<Outcome, number> = { done: 0, refused: 0, unsure: 0 };
  /** The request that runs, and the tab that has sent it. Null: none. */
  running: string | null = null;

  /** @param place Number of the tab. */
  constructor(tabs: Tabs, place: number, origin: string) {
    this.ledger = new DocumentLedger(place * 1_000_000);
    this.tabs = tabs;
    this.#place = place;
    this.#origin = origin;
  }

  /** Sends one request after the other until aborted. */
  async work(random: SeededRandom, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.tabs.at(this.#place)?.state === 'open') await this.#act(random);
      await sleep(random.integer(0, 200), signal).catch(() => {});
    }
  }

  async #act(random: SeededRandom): Promise<void> {
    const [action] = random.pick(
      [
        [() => this.#upload(random), 5],
        [() => this.#createStore(random), 2],
        [() => this.#addFile(random), 4],
        [() => this.#createBatch(random), 3],
        [() => this.#search(random), 4],
        [() => this.#ask(random), 1],
        [() => this.#cancel(random), 1],
        [() => this.#removeFile(random), 1],
        [() => this.#deleteFile(random), 2],
        [() => this.#deleteStore(random), 1],
      ] as const,
      ([, weight]) => weight,
    );
    await action();
  }

  async #upload(random: SeededRandom): Promise<void> {
    if (this.#files.length >= MOST.files) return;
    const isText = random.chance(0.9);
    const parts = random.chance(0.3) ? random.integer(260, MOST.parts) : random.integer(1, 60);
    const file = this.ledger.addFile(parts, isText);
    const text = contentOf(file);
    const { outcome, reply } = await this.#send(random, 'POST', '/files', null, { name: file.name, text });
    [file.state, file.id] = [stateAfter(outcome, 'there', 'gone'), outcome === 'done' ? idOf(reply) : null];
  }

  async #createStore(random: SeededRandom): Promise<void> {
    if (this.#stores.length >= MOST.stores) return;
    const files = this.#some(random, this.#files);
    const store = this.ledger.addStore();
    const body = { name: store.name, file_ids: files.map(({ id }) => id) };
    const { outcome, reply } = await this.#send(random, 'POST', '/vector_stores', body);
    [store.state, store.id] = [stateAfter(outcome, 'there', 'gone'), outcome === 'done' ? idOf(reply) : null];
    for (const file of files) store.files.set(file, stateAfter(outcome, 'there', 'gone'));
  }

  async #addFile(random: SeededRandom): Promise<void> {
    const [store, file] = [this.#one(random, this.#stores), this.#one(random, this.#files)];
    if (store === null || file === null || store.files.get(file) === 'unsure') return;
    const former = store.files.get(file) ?? 'gone';
    const { outcome } = await this.#send(random, 'POST', `/vector_stores/${store.id}/files`, { file_id: file.id });
    store.files.set(file, former === 'there' ? former : stateAfter(outcome, 'there', former));
  }

  async #createBatch(random: SeededRandom): Promise<void> {
    const store = this.#one(random, this.#stores);
    const files = this.#some(random, this.#files).filter((file) => store?.files.get(file) !== 'unsure');
    if (store === null || files.length === 0) return;
    const body = { file_ids: files.map(({ id }) => id) };
    const { outcome, reply } = await this.#send(random, 'POST', `/vector_stores/${store.id}/file_batches`, body);
    if (outcome === 'done') store.batches.push(idOf(reply));
    for (const file of files) {
      const former = store.files.get(file) ?? 'gone';
      store.files.set(file, former === 'there' ? former : stateAfter(outcome, 'there', former));
    }
  }

  async #cancel(random: SeededRandom): Promise<void> {
    const store = this.#one(random, this.#stores);
    const batch = store?.batches.pop();
    if (store === null || batch === undefined) return;
    store.isCancelled = true;
    await this.#send(random, 'POST', `/vector_stores/${store.id}/file_batches/${batch}/cancel`, {});
  }

  async #search(random: SeededRandom): Promise<void> {
    const store = this.#one(random, this.#stores);
    const file = store && this.#one(random, [...store.files.keys()]);
    if (!file) return;
    const query = wordOfPart(file.number, random.integer(0, file.parts - 1));
    await this.#send(random, 'POST', `/vector_stores/${store.id}/search`, { query });
  }

  async #ask(random: SeededRandom): Promise<void> {
    const store = this.#one(random, this.#stores);
    if (store === null) return;
    const tools = [{ type: 'file_search', vector_store_ids: [store.id] }];
    const body = { model: 'pocket', input: 'Which part is it?', max_output_tokens: 8, store: false, tools };
    await this.#send(random, 'POST', '/responses', body);
  }

  async #removeFile(random: SeededRandom): Promise<void> {
    const store = this.#one(random, this.#stores);
    const there = [...(store?.files ?? [])].filter(([file, state]) => state === 'there' && file.state === 'there');
    const file = this.#one(random, there)?.[0];
    if (!store || !file) return;
    const { outcome } = await this.#send(random, 'DELETE', `/vector_stores/${store.id}/files/${file.id}`);
    store.files.set(file, stateAfter(outcome, 'gone', 'there'));
  }

  async #deleteFile(random: SeededRandom): Promise<void> {
    const file = this.#files.length < MOST.files / 2 ? null : this.#one(random, this.#files);
    if (file === null) return;
    const { outcome } = await this.#send(random, 'DELETE', `/files/${file.id}`);
    file.state = stateAfter(outcome, 'gone', 'there');
  }

  async #deleteStore(random: SeededRandom): Promise<void> {
    const store = this.#stores.length < MOST.stores ? null : this.#one(random, this.#stores);
    if (store === null) return;
    const { outcome } = await this.#send(random, 'DELETE', `/vector_stores/${store.id}`);
    store.state = stateAfter(outcome, 'gone', 'there');
  }

  /** The files of which it is sure that they are there. Nothing is done with others before the next check. */
  get #files(): readonly LedgerFile[] {
    return this.ledger.files.filter(({ state }) => state === 'there');
  }

  get #stores(): readonly LedgerStore[] {
    return this.ledger.stores.filter(({ state }) => state === 'there');
  }

  #one<Item>(random: SeededRandom, items: readonly Item[]): Item | null {
    return items.length === 0 ? null : random.pick(items);
  }

  #some<Item>(random: SeededRandom, items: readonly Item[]): Item[] {
    return items.filter(() => random.chance(0.4));
  }

  async #send(
    random: SeededRandom,
    method: string,
    path: string,
    body: object | null = null,
    upload: DocumentRequest['upload'] = null,
  ): Promise<{ readonly outcome: Outcome; readonly reply: DocumentReply | null }> {
    const abortAfter = random.chance(ABORTED.share) ? random.integer(0, ABORTED.after) : REQUEST_TIME;
    const request = { method, path, body, upload, abortAfter };
    const tab = this.tabs.at(this.#place);
    this.running = `${method} ${path}, asked by tab ${tab?.number}`;
    const reply = (await tab?.call('sendDocuments', this.#origin, request).catch(() => null)) ?? null;
    this.running = null;
    // After a failure of the server a request may have been carried out. A deletion that finds nothing may be the browser's
    // repetition of one whose response was lost.
    const isUnsure = reply === null || reply.status >= 500 || (method === 'DELETE' && reply.status === 404);
    const outcome = isUnsure ? 'unsure' : reply.status >= 400 ? 'refused' : 'done';
    this.outcomes[outcome] += 1;
    return { outcome, reply };
  }
}

function stateAfter(outcome: Outcome, done: Certainty, refused: Certainty): Certainty {
  return outcome === 'done' ? done : outcome === 'refused' ? refused : 'unsure';
}

function idOf(reply: DocumentReply | null): string {
  return (JSON.parse(reply?.text ?? '{}') as { id: string }).id;
}
