import { expect, test } from 'vitest';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { contentOf, DocumentLedger, type LedgerFile, type LedgerStore } from './document-ledger.ts';

/** The usual run ends the engine at each so many steps. `EVERY_STEP=1` tries each. */
const STRIDE = Number(process.env['EVERY_STEP'] ?? 17);

/** After at most so many steps the next engine ends as well. */
const MOST_STEPS_OF_SECOND = 23;

/** Thrown when the engine has ended before it answered. */
const DEAD = new Error('The engine has ended.');

interface Made {
  readonly id: string;
}

/** A client that uses everything once, and knows what it may rely on after each response. */
class Client {
  readonly ledger = new DocumentLedger(0);
  readonly endpoint = new DocumentEndpoint({}, 2);

  async use(): Promise<void> {
    const [first, large, last] = [await this.#upload(3), await this.#upload(270), await this.#upload(1)];
    const store = await this.#createStore(first, last);
    await this.#indexed(store);
    await this.#add(store, 'file_batches', large);
    await this.#indexed(store);
    await this.#add(store, 'files', last);
    const second = await this.#createStore(first);
    await this.#remove(store, last);
    const batch = await this.#add(second, 'file_batches', large, last);
    second.isCancelled = true;
    await this.#send('POST', `/vector_stores/${second.id}/file_batches/${batch}/cancel`, {});
    first.state = 'unsure';
    await this.#send('DELETE', `/files/${first.id}`);
    first.state = 'gone';
    second.state = 'unsure';
    await this.#send('DELETE', `/vector_stores/${second.id}`);
    second.state = 'gone';
    await this.#indexed(store);
  }

  /** Starts the next engine, and waits until it has tidied up. */
  async restart(lastStep?: number): Promise<void> {
    // The browser releases the locks of an engine that ended.
    this.endpoint.locks = new MemoryLocks();
    await this.endpoint.restartEngine(lastStep);
  }

  async #upload(parts: number): Promise<LedgerFile> {
    const file = this.ledger.addFile(parts, true);
    file.id = await this.#answered(this.endpoint.uploaded(contentOf(file), file.name));
    file.state = 'there';
    return file;
  }

  async #createStore(...files: readonly LedgerFile[]): Promise<LedgerStore> {
    const store = this.ledger.addStore();
    for (const file of files) store.files.set(file, 'unsure');
    const body = { name: store.name, file_ids: files.map(({ id }) => id) };
    store.id = (await this.#send<Made>('POST', '/vector_stores', body)).id;
    store.state = 'there';
    for (const file of files) store.files.set(file, 'there');
    return store;
  }

  async #add(store: LedgerStore, to: 'files' | 'file_batches', ...files: readonly LedgerFile[]): Promise<string> {
    for (const file of files) if (!store.files.has(file)) store.files.set(file, 'unsure');
    const ids = files.map(({ id }) => id);
    const body = to === 'files' ? { file_id: ids[0] } : { file_ids: ids };
    const { id } = await this.#send<Made>('POST', `/vector_stores/${store.id}/${to}`, body);
    for (const file of files) store.files.set(file, 'there');
    return id;
  }

  async #remove(store: LedgerStore, file: LedgerFile): Promise<void> {
    store.files.set(file, 'unsure');
    await this.#send('DELETE', `/vector_stores/${store.id}/files/${file.id}`);
    store.files.set(file, 'gone');
  }

  #indexed({ id }: LedgerStore): Promise<void> {
    return this.#answered(this.endpoint.indexed(id!));
  }

  #send<Body>(method: string, path: string, body?: object): Promise<Body> {
    return this.#answered(this.endpoint.json<Body>(method, path, body));
  }

  async #answered<Result>(response: Promise<Result>): Promise<Result> {
    const ended = this.endpoint.storage.died.then(() => Promise.reject<Result>(DEAD));
    return Promise.race([response, ended]);
  }
}

/** Number of steps of an engine that lives to the end. */
async function countSteps(): Promise<number> {
  const client = new Client();
  await client.use();
  const { defects, ...counts } = await checkEndpoint(client.endpoint, client.ledger);
  expect({ defects, counts }).toMatchObject({ defects: [], counts: { files: 2, stores: 1, indexed: 1 } });
  return client.endpoint.storage.steps;
}

test(
  'wherever an engine ends, the next one finds nothing lost and leaves nothing half',
  { timeout: 600_000 },
  async () => {
    const steps = await countSteps();
    expect(steps).toBeGreaterThan(100);
    const defects: string[] = [];
    for (let step = 1; step <= steps; step += STRIDE) {
      for (const isLastDone of [false, true]) {
        const client = new Client();
        Object.assign(client.endpoint.storage, { lastStep: step, isLastDone });
        await client.use().catch((thrown: unknown) => {
          if (thrown !== DEAD) throw thrown;
        });
        // The second engine ends soon, too: while it tidies up or goes on.
        await client.restart(1 + (step % MOST_STEPS_OF_SECOND));
        await client.restart();
        const { defects: found } = await checkEndpoint(client.endpoint, client.ledger);
        for (const defect of found) defects.push(`Step ${step}, ${isLastDone ? 'done' : 'not done'}: ${defect}`);
      }
    }
    expect(defects).toEqual([]);
  },
);
