import type { IndexingState } from '../../shared/documents/document-objects.ts';
import type { Completions } from '../completions/completions.ts';
import type { FindModel } from '../completions/completions-options.ts';
import { documentCallHandlers } from './document-call-handlers.ts';
import { Bundles } from './bundles.ts';
import { CarriedVectors } from './carried-vectors.ts';
import { embedWith } from './embed-texts.ts';
import { Files } from './files.ts';
import { filesOfBundle, indexName, indexOfCheckpoint } from './ids.ts';
import { Indexer, type IndexerOptions } from './indexer.ts';
import { hasDocuments } from './storage/document-database.ts';
import { hasOpfsFolder } from './storage/opfs-blobs.ts';
import { StoredDocuments, type StoredDocumentsOptions } from './storage/stored-documents.ts';
import { StoreFiles } from './store-files.ts';
import { StoreSearches } from './store-search.ts';
import { untilStored } from './until-stored.ts';
import { VectorStores } from './vector-stores.ts';

interface DocumentsOptions extends StoredDocumentsOptions, Pick<IndexerOptions, 'readDocument' | 'retryDelay'> {
  readonly completions: Pick<Completions, 'start'>;
  readonly findModel: FindModel;
  /** Whether this device may have documents. Default: whether their database or folder exists. */
  readonly exist?: () => Promise<boolean>;
  /** The fewest files of a bundle. Default: as many as are worth it. */
  readonly leastOfBundle?: number;
}

/** Files, vector stores, their indexing and their search. */
export interface Documents {
  readonly handlers: ReturnType<typeof documentCallHandlers>;
  /** Continues what an engine has not ended, and deletes what it left behind. Call it when the models are known. */
  resume(): Promise<void>;
}

export function createDocuments({
  completions,
  findModel,
  exist = async () => (await hasDocuments()) || (await hasOpfsFolder()),
  leastOfBundle,
  ...options
}: DocumentsOptions): Documents {
  const stored = new StoredDocuments(options);
  const embed = embedWith(completions);
  const files = new Files(stored);
  const stores = new VectorStores(stored, findModel);
  const bundles = new Bundles({ stored, least: leastOfBundle });
  const requireModel: IndexerOptions['requireModel'] = (store) => stores.requireModel(store);
  const indexer = new Indexer({ ...options, stored, bundles, embed, requireModel });
  const storeFiles = new StoreFiles({ stored, stores, onAdded: () => indexer.wake() });
  const searches = new StoreSearches({ stored, bundles, embed, onOutdated: () => indexer.wake() });
  const carried = new CarriedVectors({ ...options, stored, files, embed });
  return {
    handlers: documentCallHandlers({ files, stores, storeFiles, searches, carried, indexer }),
    async resume() {
      if (!(await exist())) return;
      indexer.wake();
      await untilStored(async () => {
        await Promise.all([files.deleteExpired(), stores.emptyExpired()]);
        await stored.tidyUp(() => namedBlobs(stored));
      }, options.retryDelay);
    },
  };
}

/** Returns whether a record names the blob with a name. */
async function namedBlobs({ records }: StoredDocuments): Promise<(name: string) => boolean> {
  const [files, storeFiles] = await Promise.all([records.list('files'), records.list('storeFiles')]);
  const contents = new Set(files.map(({ id }) => id));
  const indexesIn = (state: IndexingState) =>
    new Set(storeFiles.filter(({ status }) => status === state).map(indexName));
  const [completed, unfinished] = [indexesIn('completed'), indexesIn('in_progress')];
  const bundled = new Map<string, number>();
  for (const { bundle } of storeFiles) if (bundle !== undefined) bundled.set(bundle, (bundled.get(bundle) ?? 0) + 1);
  return (name) =>
    contents.has(name) ||
    completed.has(name) ||
    unfinished.has(indexOfCheckpoint(name) ?? '') ||
    // One with fewer files has one that an earlier version of this software has deleted.
    (bundled.has(name) && bundled.get(name) === filesOfBundle(name));
}
