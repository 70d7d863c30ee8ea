import { ApiError } from '../../shared/api-error.ts';
import type { StoreSearch } from '../../shared/documents/document-calls.ts';
import { MAX_ATTRIBUTES, type Attributes, type SearchResult } from '../../shared/documents/document-objects.ts';
import { BUILT_IN_EMBEDDING_MODEL_ID } from '../../shared/models/built-in-models.ts';
import type { Bundles } from './bundles.ts';
import type { EmbedTexts } from './embed-texts.ts';
import { indexName } from './ids.ts';
import { passageText } from './passages/passage.ts';
import { PassageIndex, type PassageHit } from './search/passage-index.ts';
import type { StoreFileRecord, StoreRecord } from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';
import { decodeSearched, decodeText, type IndexedText } from './stored-index.ts';

/** How many passages of stores other than the one that is searched stay in memory. */
const MAX_KEPT = 100_000;

/**
 * The weights for Pocket Embed, which is small and knows English only, so that words decide more, and a single one alone
 * decides little. Measured as the default weight of meaning was, which other models have.
 */
export const WEIGHTS_FOR_POCKET_EMBED = { weightOfMeaning: 0.2, weightOfSingleWord: 0.5, scale: 1.1 } as const;

interface StoreSearchesOptions {
  readonly stored: StoredDocuments;
  readonly bundles: Pick<Bundles, 'read'>;
  readonly embed: EmbedTexts;
  /** Called when a file must be indexed again: its index is no longer whole, or of another version of this software. */
  readonly onOutdated: () => void;
}

/** Searches vector stores. Keeps what is searched in memory, but no texts. */
export class StoreSearches {
  readonly #options: StoreSearchesOptions;
  /** Id of a store → its index. The store that was searched last is the last one. */
  readonly #open = new Map<string, PassageIndex>();

  constructor(options: StoreSearchesOptions) {
    this.#options = options;
  }

  /**
   * Finds passages, best first.
   * @param listFiles Lists the files of the store. Those that are not indexed completely are left out.
   */
  async search(
    { id, model, site }: StoreRecord,
    listFiles: () => Promise<readonly StoreFileRecord[]>,
    { queries, filter, limit, threshold }: StoreSearch,
  ): Promise<SearchResult[]> {
    if ((await this.#update(id, await completedFiles(listFiles))).count === 0) return [];
    const vectors = await this.#options.embed(queries, { model, site, isBackground: false });
    // Files may have been indexed or deleted while the queries waited for the model.
    const completed = await completedFiles(listFiles);
    const index = await this.#update(id, completed);
    const hits = queries.flatMap((text, place) =>
      index.search({
        text,
        vector: vectors[place]!,
        ...(model === BUILT_IN_EMBEDDING_MODEL_ID && WEIGHTS_FOR_POCKET_EMBED),
        most: limit,
        threshold,
        ...(filter && { filter }),
      }),
    );
    // Several passages of one file need its text only once.
    const texts = new Map<StoreFileRecord, IndexedText | null>();
    const results: SearchResult[] = [];
    for (const hit of bestFirst(hits).slice(0, limit)) {
      // A search at the same time may have added a file, or another version of one, to the index.
      const file = completed.get(hit.file);
      if (file === undefined) continue;
      if (!texts.has(file)) {
        texts.set(file, await this.#text(file));
        // What is searched may have come from a bundle, so that it is not noticed before.
        if (texts.get(file) === null) await this.#indexAgain(file);
      }
      const result = await this.#result(file, texts.get(file) ?? null, hit);
      if (result !== null) results.push(result);
    }
    return results;
  }

  /**
   * The text of a file, as it was indexed. If its index is no longer whole, the file is indexed again.
   * @throws ApiError `invalid_value` if the file is not indexed.
   */
  async textOf(file: StoreFileRecord): Promise<string> {
    const indexed = file.status === 'completed' ? await this.#text(file) : null;
    if (indexed !== null) return indexed.text;
    if (file.status === 'completed') await this.#indexAgain(file);
    const sentence = `The file ${file.file} is not indexed in this vector store; its status says why.`;
    throw new ApiError('invalid_value', sentence, { param: 'file_id' });
  }

  /** Brings the index of a store up to date with its files, and makes room for it. */
  async #update(id: string, files: ReadonlyMap<string, StoreFileRecord>): Promise<PassageIndex> {
    const index = this.#open.get(id) ?? new PassageIndex();
    this.#open.delete(id);
    this.#open.set(id, index);
    for (const key of index.ids) if (!files.has(key)) index.remove(key);
    const missing = [...files].filter(([key]) => !index.has(key));
    const bundled = await this.#options.bundles.read(missing.map(([, file]) => file));
    for (const [key, file] of missing) {
      const blob = bundled.has(file.id) ? null : await this.#read(file);
      const searched = bundled.get(file.id) ?? (blob && (await decodeSearched(blob)));
      if (searched === null) await this.#indexAgain(file);
      else index.add(key, searched, file.attributes);
    }
    let kept = [...this.#open.values()].reduce((sum, { count }) => sum + count, 0) - index.count;
    for (const [other, { count }] of this.#open) {
      if (kept <= MAX_KEPT || other === id) break;
      kept -= count;
      this.#open.delete(other);
    }
    return index;
  }

  async #indexAgain({ id, version }: StoreFileRecord): Promise<void> {
    const { stored, onOutdated } = this.#options;
    await stored.update('storeFiles', id, (file) =>
      file.version === version ? { ...file, status: 'in_progress' } : null,
    );
    onOutdated();
  }

  /** Null if the file was deleted meanwhile. */
  async #result(
    file: StoreFileRecord,
    indexed: IndexedText | null,
    { place, score }: PassageHit,
  ): Promise<SearchResult | null> {
    const source = await this.#options.stored.records.get('files', file.file);
    const passage = indexed?.passages[place];
    if (!indexed || !passage || source === undefined) return null;
    const text = passageText(indexed.text, passage);
    const attributes = withPage(file.attributes, passage.page);
    return { file_id: file.file, filename: source.filename, score, attributes, content: [{ type: 'text', text }] };
  }

  async #text(file: StoreFileRecord): Promise<IndexedText | null> {
    const blob = await this.#read(file);
    return blob && decodeText(blob);
  }

  /** The index of a file; null if it is not whole. */
  async #read(file: StoreFileRecord): Promise<Blob | null> {
    const blob = await this.#options.stored.blobs.read(indexName(file));
    return blob?.size === file.bytes ? blob : null;
  }
}

async function completedFiles(
  listFiles: () => Promise<readonly StoreFileRecord[]>,
): Promise<ReadonlyMap<string, StoreFileRecord>> {
  const files = (await listFiles()).filter(({ status }) => status === 'completed');
  return new Map(files.map((file) => [keyOf(file), file]));
}

/** Adds the page of a passage to the attributes of its file, unless they have that name or as many pairs as the API allows. */
function withPage(attributes: Attributes, page: number | null): Attributes {
  if (page === null || 'page' in attributes || Object.keys(attributes).length >= MAX_ATTRIBUTES) return attributes;
  return { ...attributes, page };
}

/** Sorts the hits of several queries. What several of them have found is kept once, with its best score. */
function bestFirst(hits: readonly PassageHit[]): PassageHit[] {
  const sorted = hits.toSorted((one, other) => other.score - one.score);
  const places = new Set<string>();
  return sorted.filter((hit) => {
    const place = `${hit.place} ${hit.file}`;
    return !places.has(place) && places.add(place);
  });
}

/** The id of a file in an index. It differs after each change of what is searched or compared. */
function keyOf({ id, version, attributes }: StoreFileRecord): string {
  return JSON.stringify([id, version, attributes]);
}
