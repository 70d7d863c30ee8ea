import type { SearchResult } from '../../../shared/documents/document-objects.ts';
import type { ChatMessage } from '../../../shared/engine/completion-request.ts';
import { callDocuments } from '../../documents-api/call-documents.ts';
import type { Exchange } from '../../http/exchange.ts';
import { renameParam } from '../../http/rename-param.ts';
import type { FileSearchTool } from './read-file-search.ts';

/** What a search in the vector stores of a request has found. */
export interface FoundPassages {
  /** What was searched for; empty if the conversation has no text of a user. */
  readonly queries: readonly string[];
  /** The best first. */
  readonly results: readonly SearchResult[];
}

/** Characters of a question that are searched for. More would blur the search. */
const MAX_QUERY = 2000;

/**
 * Searches the vector stores of a tool for the last text of the user.
 * @throws ApiError `vector_store_not_found`; others of the engine.
 */
export async function searchFiles(
  exchange: Exchange,
  { stores, param, filter, limit, threshold }: FileSearchTool,
  messages: readonly ChatMessage[],
): Promise<FoundPassages> {
  const query = lastUserText(messages).trim().slice(0, MAX_QUERY);
  if (query === '') return { queries: [], results: [] };
  const queries = [query];
  const search = (id: string) => callDocuments(exchange, 'stores/search', { id, queries, filter, limit, threshold });
  const results = (await renameParam(Promise.all(stores.map(search)), null, param)).flat();
  return { queries, results: withoutRepetitions(results).slice(0, limit) };
}

function lastUserText(messages: readonly ChatMessage[]): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message === undefined ? '' : textOf(message);
}

export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Sorts the best first. A passage that several stores or files have is kept once. */
function withoutRepetitions(results: readonly SearchResult[]): SearchResult[] {
  const sorted = results.toSorted((one, other) => other.score - one.score);
  const places = new Map(sorted.map((result, index) => [passageTextOf(result), index] as const).toReversed());
  return sorted.filter((result, index) => places.get(passageTextOf(result)) === index);
}

export function passageTextOf({ content }: SearchResult): string {
  return content.map(({ text }) => text).join('\n');
}
