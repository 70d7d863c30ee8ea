import type { FileToIndex } from '../../shared/documents/document-calls.ts';
import { ApiError } from '../../shared/api-error.ts';
import { isTransient } from '../../shared/http/retry-after.ts';
import { passageLimits } from './auto-chunking.ts';
import type { EmbedTexts } from './embed-texts.ts';
import type { Files } from './files.ts';
import { indexName } from './ids.ts';
import type { IndexerOptions } from './indexer.ts';
import { readFileText } from './reading/read-file-text.ts';
import { UnreadableFile } from './reading/unreadable-file.ts';
import type { StoreFileRecord, StoreRecord } from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';
import type { BuiltIndex } from './store-files.ts';
import { decodeSearched, decodeText } from './stored-index.ts';
import { encodeVectors, indexWithVectors, isVectorFile, vectorsRefused } from './vector-file.ts';

interface CarriedVectorsOptions extends Pick<IndexerOptions, 'readDocument'> {
  readonly stored: StoredDocuments;
  readonly files: Files;
  readonly embed: EmbedTexts;
}

/** Vectors that are carried from one vector store to another, so that they need not be computed again. */
export class CarriedVectors {
  readonly #options: CarriedVectorsOptions;

  constructor(options: CarriedVectorsOptions) {
    this.#options = options;
  }

  /**
   * Returns the vectors of a file.
   * @throws ApiError `invalid_value` if the file is not indexed, or its index is not whole.
   */
  async read(store: StoreRecord, file: StoreFileRecord): Promise<Blob> {
    const blob = file.status === 'completed' ? await this.#options.stored.blobs.read(indexName(file)) : null;
    // The text stands after what is searched, so that an index that was cut may lack only a part of it.
    const searched = blob?.size === file.bytes ? await decodeSearched(blob) : null;
    if (blob !== null && searched !== null) return encodeVectors(store, searched, await decodeText(blob));
    const sentence = `The file ${file.file} is not indexed in this vector store; its status says why.`;
    throw new ApiError('invalid_value', sentence, { param: 'file_id' });
  }

  /**
   * Returns the index of a file with vectors of another store. Vectors that do not fit are deleted.
   * @throws ApiError `file_not_found`; `invalid_value` if the vectors do not fit, or the file has no text.
   */
  async buildIndex(
    { owner, model, site }: StoreRecord,
    { id, chunking }: FileToIndex,
    vectors: string,
  ): Promise<BuiltIndex> {
    const { files, embed, readDocument } = this.#options;
    const [{ filename }, content, carried] = [
      await files.find(owner, id),
      await files.content(owner, id),
      await files.content(owner, vectors),
    ];
    // A client that names a document by mistake keeps it.
    if (!(await isVectorFile(carried))) throw vectorsRefused();
    try {
      const text = await readFileText(content, { filename, site, read: readDocument });
      const index = await indexWithVectors(text, carried, { limits: passageLimits(chunking), model, site, embed });
      return { ...index, vectors };
    } catch (thrown) {
      // The client may repeat the request with the same vectors.
      if (thrown instanceof ApiError && isTransient(thrown)) throw thrown;
      await files.delete(owner, vectors);
      if (thrown instanceof UnreadableFile) throw new ApiError('invalid_value', thrown.message, { param: 'file_id' });
      throw thrown;
    }
  }
}
