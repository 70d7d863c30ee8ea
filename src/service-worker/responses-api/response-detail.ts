import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { JsonObject } from '../request/checks.ts';
import type { GivenPassage } from './file-search/citations.ts';
import { reportedFileSearch } from './file-search/read-file-search.ts';
import { passageTextOf, type FoundPassages } from './file-search/search-files.ts';
import type { ResponseFields } from './response-fields.ts';
import { engineName, type ConversationItem, type FileSearchResult } from './response-items.ts';

/** The part of a stored answer that only a response (`POST /responses`) has. Plain data. */
export interface ResponseDetail {
  /** The input, with references resolved. */
  readonly input: readonly ConversationItem[];
  readonly background: boolean;
  /** Whether the output includes log probabilities. */
  readonly logprobs: boolean;
  /** Name of a tool for the engine → name of the group (`type: 'namespace'`) that the request put it in. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** The search that preceded the answer. Absent if there was none. */
  readonly search?: SearchDetail;
  /** The fields of the response object that repeat the request, with defaults filled in. */
  readonly settings: Readonly<Record<string, unknown>>;
}

interface SearchDetail {
  readonly queries: readonly string[];
  /** The passages that the model got. */
  readonly passages: readonly GivenPassage[];
  /** The passages with their texts, if the request asks for them. */
  readonly results: readonly FileSearchResult[] | null;
  /** Whether marks in the answer are citations. False for an answer in JSON. */
  readonly cites: boolean;
}

/**
 * Collects the parts of a request to `POST /responses` that are stored in addition to the fields of any stored answer.
 * @param body The checked request body, whose tools the response repeats.
 * @param found The passages that the model gets. Null: nothing was searched for.
 */
export function responseDetail(
  fields: ResponseFields,
  input: readonly ConversationItem[],
  body: JsonObject,
  model: ModelEntry,
  found: FoundPassages | null,
): ResponseDetail {
  const inNamespaces = fields.tools.tools.flatMap(({ name, namespace }) =>
    namespace === undefined ? [] : [[engineName(namespace, name), namespace]],
  );
  return {
    input,
    background: fields.background,
    logprobs: fields.include.logprobs,
    ...(found && { search: searchDetail(fields, found) }),
    namespaces: Object.fromEntries(inNamespaces) as Record<string, string>,
    settings: {
      background: fields.background,
      frequency_penalty: fields.frequency_penalty ?? 0,
      instructions: fields.instructions,
      max_output_tokens: fields.max_output_tokens,
      max_tool_calls: fields.max_tool_calls,
      metadata: fields.metadata,
      model: model.id,
      parallel_tool_calls: fields.parallel_tool_calls,
      presence_penalty: fields.presence_penalty ?? 0,
      previous_response_id: fields.previous_response_id,
      prompt_cache_key: fields.prompt_cache_key,
      reasoning: fields.reasoning,
      safety_identifier: fields.safety_identifier,
      service_tier: 'default',
      temperature: fields.temperature ?? model.defaultTemperature,
      text: { format: fields.text.format.reported, verbosity: fields.text.verbosity },
      tool_choice: body.tool_choice ?? 'auto',
      tools: ((body.tools ?? []) as readonly JsonObject[]).map(reportedTool),
      top_logprobs: fields.top_logprobs,
      top_p: fields.top_p ?? model.defaultTopP,
      truncation: fields.truncation,
      ...(fields.user === null ? {} : { user: fields.user }),
    },
  };
}

function searchDetail({ include, text }: ResponseFields, { queries, results }: FoundPassages): SearchDetail {
  const reported = results.map((result) => {
    const { file_id, filename, score, attributes } = result;
    return { file_id, filename, score, attributes, text: passageTextOf(result) };
  });
  return {
    queries,
    passages: results.map(({ file_id, filename }) => ({ file_id, filename })),
    results: include.searchResults ? reported : null,
    cites: text.format.requested.type === 'text',
  };
}

/** Returns a tool of the request with the API's defaults filled in. */
function reportedTool(tool: JsonObject): object {
  if (tool.type === 'file_search') return reportedFileSearch(tool);
  if (tool.type !== 'function') return tool;
  return { ...tool, parameters: tool.parameters ?? null, strict: tool.strict ?? true };
}
