import { ApiError } from '../../shared/api-error.ts';
import type { Completions } from '../completions/completions.ts';
import type { FindModel } from '../completions/completions-options.ts';
import { documentCallHandlers } from './document-call-handlers.ts';
import { embedWith } from './embed-texts.ts';
import { Files } from './files.ts';
import { namesOfIndex } from './ids.ts';
import { Indexer, type IndexerOptions } from './indexer.ts';
import { hasDocuments } from './storage/document-database.ts';
import { StoredDocuments, type StoredDocumentsOptions } from './storage/stored-documents.ts';
import { StoreFiles } from './store-files.ts';
import { StoreSearches } from './store-search.ts';
import { VectorStores } from './vector-stores.ts';

interface DocumentsOptions extends StoredDocumentsOptions, Pick<IndexerOptions, 'retryDelay'> {
  readonly completions: Pick<Completions, 'start'>;
  readonly findModel: FindModel;
  /** Whether this device may have documents. Default: whether their database exists. */
  readonly exist?: () => Promise<boolean>;
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
  exist = hasDocuments,
  ...options
}: DocumentsOptions): Documents {
  const stored = new StoredDocuments(options);
  const embed = embedWith(completions);
  const files = new Files(stored);
  const deleteFile = (owner: string, id: string) => files.delete(owner, id).catch(ignoreAbsence);
  const indexer = new Indexer({ ...options, stored, embed, deleteFile });
  const stores = new VectorStores(stored, findModel);
  const storeFiles = new StoreFiles({ stored, files, stores, onAdded: () => indexer.wake() });
  const searches = new StoreSearches({ stored, embed, onOutdated: () => indexer.wake() });
  const blobNames = async () => {
    const [contents, indexes] = await Promise.all([stored.records.list('files'), stored.records.list('storeFiles')]);
    return new Set([...contents.map(({ id }) => id), ...indexes.flatMap(namesOfIndex)]);
  };
  return {
    handlers: documentCallHandlers({ files, stores, storeFiles, searches, indexer }),
    async resume() {
      if (!(await exist())) return;
      indexer.wake();
      await Promise.all([files.deleteExpired(), stores.emptyExpired()]);
      await stored.tidyUp(blobNames);
    },
  };
}

function ignoreAbsence(thrown: unknown): void {
  if (!(thrown instanceof ApiError && thrown.code === 'file_not_found')) throw thrown;
}
