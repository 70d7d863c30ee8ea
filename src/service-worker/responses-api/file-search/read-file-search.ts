import type { AttributeFilter } from '../../../shared/documents/document-objects.ts';
import { attributeFilter, rankingOptions } from '../../documents-api/search-fields.ts';
import {
  arrayOf,
  integer,
  isAbsent,
  membersOf,
  optional,
  required,
  text,
  type Check,
  type JsonObject,
} from '../../request/checks.ts';

/** The tool `file_search`: a search in vector stores. */
export interface FileSearchTool {
  /** Ids of the vector stores. */
  readonly stores: readonly string[];
  /** The field that names the stores, for errors. */
  readonly param: string;
  readonly filter: AttributeFilter | null;
  /** Largest number of passages. */
  readonly limit: number;
  /** The lowest score of a passage, 0…1. */
  readonly threshold: number;
}

/** Limits of the OpenAI API. */
const [DEFAULT_RESULTS, MAX_RESULTS] = [20, 50];
const MAX_STORES = 5;

export const readFileSearch: Check<FileSearchTool> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const stores = member('vector_store_ids', required(storeIds));
  return {
    stores,
    param: `${param}.vector_store_ids`,
    filter: member('filters', optional(null, attributeFilter)),
    limit: member('max_num_results', optional(DEFAULT_RESULTS, integer({ min: 1, max: MAX_RESULTS }))),
    threshold: member('ranking_options', optional(0, rankingOptions)),
  };
};

/** Returns the tool of a request as the response repeats it, with the API's defaults filled in. */
export function reportedFileSearch(tool: JsonObject): JsonObject {
  const { filters = null, max_num_results: results, ranking_options: ranking } = tool;
  const given = Object.entries((ranking ?? {}) as JsonObject).filter(([, option]) => !isAbsent(option));
  const defaults = { ranker: 'auto', score_threshold: 0 };
  return {
    ...tool,
    filters,
    max_num_results: results ?? DEFAULT_RESULTS,
    ranking_options: { ...defaults, ...Object.fromEntries(given) },
  };
}

const storeIds: Check<readonly string[]> = (value, param, body) => [
  ...new Set(arrayOf(text, MAX_STORES, 'ids of vector stores', 1)(value, param, body)),
];
