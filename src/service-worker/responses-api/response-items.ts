import type { Attributes } from '../../shared/documents/document-objects.ts';
import type { FileCitation } from './file-search/citations.ts';

/** Source of these types: the published OpenAPI description of the API, 2.3.0, `InputItem` and `OutputItem`. */

export type InputContent =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: string };

export interface OutputText {
  readonly type: 'output_text';
  text: string;
  readonly annotations: FileCitation[];
  readonly logprobs: object[];
}

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface InputMessage {
  readonly type: 'message';
  readonly id?: string;
  readonly role: 'user' | 'system' | 'developer';
  readonly content: readonly InputContent[];
  readonly status: 'completed';
}

export interface OutputMessage {
  readonly type: 'message';
  readonly id?: string;
  readonly role: 'assistant';
  status: ItemStatus;
  readonly content: OutputText[];
}

export interface FunctionCall {
  readonly type: 'function_call';
  readonly id?: string;
  readonly call_id: string;
  readonly namespace?: string;
  readonly name: string;
  /** JSON text. */
  arguments: string;
  status: ItemStatus;
}

/** A call of a custom tool, whose input is text. */
export interface CustomToolCall {
  readonly type: 'custom_tool_call';
  readonly id?: string;
  readonly call_id: string;
  readonly namespace?: string;
  readonly name: string;
  input: string;
  status: ItemStatus;
}

export interface ToolCallOutput {
  readonly type: 'function_call_output' | 'custom_tool_call_output';
  readonly id?: string;
  readonly call_id: string;
  readonly output: string | readonly InputContent[];
  readonly status: 'completed';
}

/** A search in vector stores. The passages are part of the prompt of that response only. */
export interface FileSearchCall {
  readonly type: 'file_search_call';
  readonly id?: string;
  readonly queries: readonly string[];
  status: ItemStatus;
  /** The passages that the model got. Null unless the request asks for them. */
  readonly results: readonly FileSearchResult[] | null;
}

export interface FileSearchResult {
  readonly file_id: string;
  readonly filename: string;
  readonly score: number;
  readonly attributes: Attributes;
  readonly text: string;
}

/** The reasoning of a model. It is not part of later prompts, as the models' authors advise. */
export interface Reasoning {
  readonly type: 'reasoning';
  readonly id?: string;
  readonly summary: { readonly type: 'summary_text'; text: string }[];
  status: ItemStatus;
}

/** An item that replaces the answers, tool calls and tool results of an earlier part of the conversation. */
export interface Compaction {
  readonly type: 'compaction';
  readonly id?: string;
  /** The text of the compaction in Base64. */
  readonly encrypted_content: string;
}

/** A reference to an item of a stored response. The stored item replaces the reference. */
export interface ItemReference {
  readonly type: 'item_reference';
  readonly id: string;
}

/** An item of a conversation, without references. */
export type ConversationItem = InputMessage | OutputItem | ToolCallOutput | Compaction;

export type OutputItem = OutputMessage | FunctionCall | CustomToolCall | Reasoning | FileSearchCall;

/**
 * Returns the name by which the engine knows a tool. The name of its group is part of it, because the tools of two groups
 * may have the same name.
 * @param namespace Name of the group; undefined if the tool stands alone.
 */
export function engineName(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace.replaceAll(/\W/g, '_')}__${name}`;
}

/** The prefixes of the ids of items, by type. */
export const ID_PREFIXES = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  reasoning: 'rs',
  file_search_call: 'fs',
  compaction: 'cmp',
} as const satisfies Record<ConversationItem['type'], string>;

/**
 * Returns the id of an item. It is deterministic, so that a replayed response has the same ids.
 * @param place Position of the item: `0` for the first item of the output, `input_0` for the first of the input.
 */
export function itemId(type: ConversationItem['type'], responseId: string, place: string): string {
  return `${ID_PREFIXES[type]}_${responseId.slice(RESPONSE_ID_PREFIX.length)}_${place}`;
}

export const RESPONSE_ID_PREFIX = 'resp_';

/** Returns the id of the response that an item belongs to; null if {@link itemId} did not make the item's id. */
export function responseIdOfItem(id: string): string | null {
  const [, hex] = /^[a-z]+_([0-9a-f]{32})_/.exec(id) ?? [];
  return hex === undefined ? null : `${RESPONSE_ID_PREFIX}${hex}`;
}
