import * as v from 'valibot';
import type { DocumentCalls } from '../../shared/documents/document-calls.ts';
import type { FileObject, VectorStoreObject } from '../../shared/documents/document-objects.ts';
import type { CallHandler, CallHandlers } from '../ports/call-handlers.ts';
import type { CarriedVectors } from './carried-vectors.ts';
import { fileObject, type Files } from './files.ts';
import { storeFileObject, type StoreFiles } from './store-files.ts';
import type { Indexer } from './indexer.ts';
import type { StoreSearches } from './store-search.ts';
import { UnconfirmedCalls } from './unconfirmed-calls.ts';
import { storeObject, type VectorStores } from './vector-stores.ts';
import type { StoreFileRecord, StoreRecord } from './storage/document-records.ts';

interface DocumentHandlerOptions {
  readonly files: Files;
  readonly stores: VectorStores;
  readonly storeFiles: StoreFiles;
  readonly searches: StoreSearches;
  readonly carried: CarriedVectors;
  readonly indexer: Pick<Indexer, 'progress' | 'wake'>;
}

/** The service worker, which sends these calls, has checked all other parameters. */
const isOwned = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'owner' in value && typeof value.owner === 'string';

function handler<Parameters, Result>(
  run: (parameters: Parameters, site: string) => Promise<Result>,
): CallHandler<Parameters, Result> {
  return { parameters: v.custom<Parameters>(isOwned), run };
}

export function documentCallHandlers({
  files,
  stores,
  storeFiles,
  searches,
  carried,
  indexer,
}: DocumentHandlerOptions): Pick<CallHandlers, keyof DocumentCalls> {
  const described = async (store: StoreRecord) => storeObject(store, await stores.filesOf(store.id), indexer.progress);
  const uploads = new UnconfirmedCalls<DocumentCalls['files/create']['parameters'], FileObject>();
  const creations = new UnconfirmedCalls<DocumentCalls['stores/create']['parameters'], VectorStoreObject>();
  return {
    'documents/confirm': handler(async ({ id }) => {
      uploads.confirm(id);
      creations.confirm(id);
      return null;
    }),
    'files/create': handler((given) => uploads.run(given, () => files.create(given))),
    'files/list': handler(async ({ owner }) => (await files.list(owner)).map(fileObject)),
    'files/find': handler(async ({ owner, id }) => fileObject(await files.find(owner, id))),
    'files/content': handler(({ owner, id }) => files.content(owner, id)),
    'files/delete': handler(async ({ owner, id }) => {
      uploads.confirm(id);
      return nothing(files.delete(owner, id));
    }),
    'stores/create': handler((given, site) =>
      creations.run(given, async () => {
        const store = await stores.newRecord(given, site);
        await storeFiles.add(store, given.files, { isNew: true });
        return described(store);
      }),
    ),
    'stores/list': handler(async ({ owner }) => {
      const [found, allFiles] = [await stores.list(owner), await stores.allFiles()];
      const filesByStore = new Map<string, StoreFileRecord[]>(found.map(({ id }) => [id, []]));
      for (const file of allFiles) filesByStore.get(file.store)?.push(file);
      return found.map((store) => storeObject(store, filesByStore.get(store.id) ?? [], indexer.progress));
    }),
    'stores/find': handler(async ({ owner, id }) => described(await stores.find(owner, id))),
    'stores/update': handler(async (given) => {
      const store = await stores.update(given);
      if (given.paused === false) indexer.wake();
      return described(store);
    }),
    'stores/delete': handler(async ({ owner, id }) => {
      creations.confirm(id);
      return nothing(stores.delete(owner, id));
    }),
    'stores/search': handler(async ({ owner, id, ...search }) => {
      await files.deleteExpired();
      return searches.search(await stores.use(owner, id), () => stores.filesOf(id), search);
    }),
    'store-files/add': handler(async ({ owner, store, file, vectors }) => {
      const found = await stores.use(owner, store);
      const built = vectors === undefined ? null : await carried.buildIndex(found, file, vectors);
      const [added] = await storeFiles.add(found, [file], { built });
      return storeFileObject(added!);
    }),
    'store-files/vectors': handler(async ({ owner, store, id }) =>
      carried.read(await stores.find(owner, store), await storeFiles.find(owner, store, id)),
    ),
    'store-files/list': handler(async (given) => {
      await files.deleteExpired();
      return (await storeFiles.list(given)).map(storeFileObject);
    }),
    'store-files/find': handler(async ({ owner, store, id }) =>
      storeFileObject(await storeFiles.find(owner, store, id)),
    ),
    'store-files/update': handler(async (given) => storeFileObject(await storeFiles.update(given))),
    'store-files/text': handler(async ({ owner, store, id }) => {
      await files.deleteExpired();
      return searches.textOf(await storeFiles.find(owner, store, id));
    }),
    'store-files/delete': handler(({ owner, store, id }) => nothing(storeFiles.delete(owner, store, id))),
    'batches/create': handler(async ({ owner, store, files: given }) =>
      storeFiles.createBatch(await stores.use(owner, store), given),
    ),
    'batches/find': handler(({ owner, store, id }) => storeFiles.findBatch(owner, store, id)),
    'batches/cancel': handler(({ owner, store, id }) => storeFiles.cancelBatch(owner, store, id)),
  };
}

async function nothing(done: Promise<void>): Promise<null> {
  await done;
  return null;
}
