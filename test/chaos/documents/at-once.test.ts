import { expect, test } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { SeededRandom } from '../seeded-random.ts';
import { textOf } from './document-texts.ts';

/** The usual run tries so many orders of events. `AT_ONCE=1000` tries more. */
const ORDERS = Number(process.env['AT_ONCE'] ?? 40);

const [CLIENTS, REQUESTS] = [4, 8];

interface Made {
  readonly id: string;
}

interface List {
  readonly data: readonly Made[];
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Uses the same files and stores as other clients, and does not mind what became of them meanwhile. */
async function use(endpoint: DocumentEndpoint, random: SeededRandom, files: string[], stores: string[]): Promise<void> {
  for (let count = 0; count < REQUESTS; count += 1) {
    const [file, other, store] = [random.pick(files), random.pick(files), random.pick(stores)];
    const path = `/vector_stores/${store}`;
    const send = random.pick([
      async () => void files.push(await endpoint.uploaded(textOf(random.integer(1, 99), 2))),
      async () => {
        const { id } = await endpoint.json<Partial<Made>>('POST', '/vector_stores', { file_ids: [file] });
        if (id !== undefined) stores.push(id);
      },
      () => endpoint.json('POST', `${path}/files`, { file_id: file }),
      () => endpoint.json('POST', `${path}/files`, { file_id: file, replaces_file_id: other }),
      () => endpoint.json('DELETE', `${path}/files/${file}`),
      () => endpoint.json('POST', `${path}/search`, { query: 'the same words' }),
      () => endpoint.json('DELETE', `/files/${file}`),
      () => endpoint.json('DELETE', path),
      async () => {
        const batch = await endpoint.json<Partial<Made>>('POST', `${path}/file_batches`, { file_ids: [file, other] });
        if (random.chance(0.5)) await endpoint.json('POST', `${path}/file_batches/${batch.id}/cancel`, {});
      },
    ]);
    await send();
  }
}

test.each(Array.from({ length: ORDERS }, (_, order) => order))(
  'clients that use the same files at once leave nothing half, order %d',
  async (order) => {
    const random = new SeededRandom(order);
    const endpoint = new DocumentEndpoint({}, 2);
    endpoint.storage.delay = async () => {
      for (let turns = random.integer(0, 3); turns > 0; turns -= 1) await turn();
    };
    const files = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
    const stores = [(await endpoint.json<Made>('POST', '/vector_stores', { file_ids: files })).id];
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => use(endpoint, random.fork(`client ${client}`), files, stores)),
    );
    const remaining = (await endpoint.json<List>('GET', '/vector_stores')).data;
    for (const { id } of remaining) await endpoint.indexed(id);
    const known = (await endpoint.json<List>('GET', '/files')).data.map(({ id }) => id);
    const indexes: string[] = [];
    for (const { id } of remaining) {
      const completed = await endpoint.json<List>('GET', `/vector_stores/${id}/files?filter=completed`);
      indexes.push(...completed.data.map((file) => `${id} ${file.id}`));
      const all = await endpoint.json<List>('GET', `/vector_stores/${id}/files`);
      expect(all.data.filter((file) => !known.includes(file.id))).toEqual([]);
    }
    for (let turns = 0; turns < 100; turns += 1) await turn();
    const names = [...endpoint.stored.contents.keys()];
    const blobs = names
      .map((name) => name.split(' ').slice(0, 2).join(' '))
      .filter((name) => !name.endsWith(' bundle'));
    // Each file of a store is in one bundle at most, and no bundle has a file that is gone.
    const bundled = names.flatMap((name) => / bundle (\d+) /.exec(name)?.[1] ?? []).map(Number);
    expect(bundled.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(indexes.length);
    expect(blobs.toSorted()).toEqual([...known, ...indexes].toSorted());
    for (const id of stores) await endpoint.json('DELETE', `/vector_stores/${id}`);
    for (const id of files) await endpoint.json('DELETE', `/files/${id}`);
    expect([endpoint.stored.size, endpoint.stored.contents.size]).toEqual([0, 0]);
  },
);
