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

/** The formats of WebLLM's structural tags (grammar-constrained decoding) that are used here. */
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
 * Builds the grammar that makes every tool call valid, with any model. With `auto` the model writes free text until it
 * opens a call; then only a listed function with arguments of its schema can follow. With another choice the answer
 * consists of calls only.
 *
 * @param single Whether the answer may contain at most one call.
 * @param answer Schema of an answer without a call; null for free text. With a schema and `auto`, the answer has at most
 *   one call: the grammar package (0.1.27) cannot express a choice between a list of calls and another format.
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

/**
 * Returns the JSON schema of a function's arguments. A schema that names no type is restricted to objects. A function
 * without parameters accepts only an empty object.
 */
export function argumentsSchema(parameters: JsonSchema | null): JsonSchema {
  if (parameters === null) return { type: 'object', properties: {}, additionalProperties: false };
  if (typeof parameters === 'boolean') return { type: 'object' };
  const shaped = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((keyword) => keyword in parameters);
  return shaped ? parameters : { type: 'object', ...parameters };
}
