import { jsonSchema, tool, type Tool } from 'ai';
import type { Tabserve } from '../page/index.ts';
import { whenReady } from './when-ready.ts';

export interface FileSearchOptions {
  /** The vector stores that are searched. */
  readonly vectorStoreIds: readonly string[];
  /** Number of passages that the model gets. Default: 4; small models lose their way in more. */
  readonly maxNumResults?: number;
  /** A condition on the attributes of files, in the form of the API's `filters`. Default: all files. */
  readonly filters?: object;
  /** Default: `local`, the key that every site accepts unless it configures keys. */
  readonly apiKey?: string;
}

/** A passage, with the same names as in the results of OpenAI's own tool. */
export interface FoundPassage {
  readonly fileId: string;
  readonly filename: string;
  /** Relevance, 0…1. */
  readonly score: number;
  /** The attributes of the file, and as `page` the page of the passage if its document has pages. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly text: string;
}

interface SearchResults {
  readonly error?: { readonly message: string };
  readonly data?: readonly {
    readonly file_id: string;
    readonly filename: string;
    readonly score: number;
    readonly attributes: FoundPassage['attributes'];
    readonly content: readonly { readonly text: string }[];
  }[];
}

/**
 * A tool for Vercel's `ai` package by which any model that calls tools searches vector stores of this device:
 * `generateText({ tools: { fileSearch: fileSearch(tabserve, { vectorStoreIds: [id] }) }, … })`.
 * @param tabserve The result of `register()`.
 */
export function fileSearch(
  tabserve: Pick<Tabserve, 'ready' | 'fetch' | 'basePath'>,
  { vectorStoreIds, maxNumResults = 4, filters, apiKey = 'local' }: FileSearchOptions,
): Tool<{ query: string }, FoundPassage[]> {
  async function search(store: string, query: string, signal: AbortSignal | undefined): Promise<FoundPassage[]> {
    const response = await tabserve.fetch(`${tabserve.basePath}/vector_stores/${store}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_num_results: maxNumResults, filters }),
      ...(signal && { signal }),
    });
    const { error, data = [] } = (await response.json()) as SearchResults;
    if (error !== undefined) throw new Error(error.message);
    return data.map(({ file_id: fileId, filename, score, attributes, content }) => {
      return { fileId, filename, score, attributes, text: content.map(({ text }) => text).join('\n') };
    });
  }
  return tool({
    description: 'Searches the documents of the user. Returns passages with the names of their files.',
    inputSchema: jsonSchema<{ query: string }>({
      type: 'object',
      properties: { query: { type: 'string', description: 'What to search for, as a question or in a few words' } },
      required: ['query'],
      additionalProperties: false,
    }),
    execute: async ({ query }, { abortSignal }) => {
      await whenReady(tabserve, abortSignal);
      const found = await Promise.all(vectorStoreIds.map((store) => search(store, query, abortSignal)));
      const sorted = found.flat().toSorted((one, other) => other.score - one.score);
      // A passage that several stores have counts once, with its best score.
      const texts = new Set<string>();
      return sorted.filter(({ text }) => !texts.has(text) && texts.add(text)).slice(0, maxNumResults);
    },
  });
}
