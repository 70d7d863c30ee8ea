import type { JsonSchema, Tool, ToolChoice } from '../../../shared/engine/completion-request.ts';
import { grammarSchema } from '../grammar/grammar-schema.ts';
import { CUSTOM_CALL_END, customCallBegin, TOOL_CALL_END, TOOL_CALL_OPEN, toolCallBegin } from './tool-syntax.ts';

interface Json {
  readonly type: 'json_schema';
  readonly json_schema: JsonSchema;
}

type Text = { readonly type: 'any_text' } | { readonly type: 'regex'; readonly pattern: string };

interface Tag {
  readonly type: 'tag';
  readonly begin: string;
  readonly content: Json | Text;
  readonly end: string;
}

/** A format of WebLLM's structural tags, as far as it is used here. */
export type ToolGrammar =
  | {
      readonly type: 'triggered_tags';
      readonly triggers: readonly string[];
      readonly tags: readonly Tag[];
      readonly at_least_one: false;
      readonly stop_after_first: boolean;
    }
  | {
      readonly type: 'tags_with_separator';
      readonly separator: string;
      readonly tags: readonly Tag[];
      readonly at_least_one: true;
      readonly stop_after_first: boolean;
    }
  | { readonly type: 'or'; readonly elements: readonly (Tag | Json)[] };

/**
 * The grammar that keeps tool calls exact with any model. With `auto` the model writes freely until it
 * opens a call by itself; from there on only a listed function with arguments of its schema can follow.
 * Otherwise the answer can be nothing but calls.
 *
 * @param single Whether at most one call may be made.
 * @param answer Schema of an answer without a call; null for free text. With one there is at most one
 *   call: the grammar package (0.1.27) knows no choice between a list of calls and something else.
 */
export function toolGrammar(
  tools: readonly Tool[],
  choice: ToolChoice,
  single: boolean,
  answer: JsonSchema | null,
): ToolGrammar {
  const allowed = typeof choice === 'object' ? tools.filter(({ name }) => name === choice.name) : tools;
  const tags = allowed.map(tag);
  if (choice === 'auto' && answer !== null) {
    return { type: 'or', elements: [...tags, { type: 'json_schema', json_schema: answer }] };
  }
  if (choice === 'auto') {
    return { type: 'triggered_tags', triggers: [TOOL_CALL_OPEN], tags, at_least_one: false, stop_after_first: single };
  }
  return { type: 'tags_with_separator', separator: '\n', tags, at_least_one: true, stop_after_first: single };
}

function tag({ name, parameters, custom }: Tool): Tag {
  if (custom !== undefined) {
    const { pattern } = custom;
    const content: Text = pattern === null ? { type: 'any_text' } : { type: 'regex', pattern };
    return { type: 'tag', begin: customCallBegin(name), content, end: CUSTOM_CALL_END };
  }
  const content = { type: 'json_schema', json_schema: grammarSchema(argumentsSchema(parameters)) } as const;
  return { type: 'tag', begin: toolCallBegin(name), content, end: TOOL_CALL_END };
}

/** Arguments are an object whatever the schema forgets to say. A function without parameters takes none. */
export function argumentsSchema(parameters: JsonSchema | null): JsonSchema {
  if (parameters === null) return { type: 'object', properties: {}, additionalProperties: false };
  if (typeof parameters === 'boolean') return { type: 'object' };
  const shaped = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((keyword) => keyword in parameters);
  return shaped ? parameters : { type: 'object', ...parameters };
}
