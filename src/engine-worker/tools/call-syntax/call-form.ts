import type { Tool } from '../../../shared/engine/completion-request.ts';
import type { Grammar } from '../../grammar/expressions/grammar.ts';
import { boundArguments, toolInputGrammar } from '../../grammar/request-grammar.ts';
import { asFunction } from './as-function.ts';
import type { CallSyntax, Part } from './call-syntax.ts';
import { joinParts } from './match-parts.ts';
import type { ArgumentReader } from './notations/argument-notation.ts';
import { CustomInputReader } from './notations/custom-input.ts';
import { JsonArguments } from './notations/json-arguments.ts';
import { PlainText } from './notations/plain-text.ts';

/** How a model of some family writes a call of one tool. */
export interface CallForm {
  readonly tool: Tool;
  /** The call's text up to its input: the arguments, or the text for a custom tool. */
  readonly begin: readonly Part[];
  /** The grammar of the input; null for any text without the end. */
  readonly input: Grammar | null;
  readonly reader: () => ArgumentReader;
  readonly end: readonly Part[];
}

/** Limit of cached forms. Grammar and parser of an answer need the same ones, and often so does the next request. */
const MAX_KEPT = 256;

/** Cache of forms, by syntax and tool; the most recently used is the last. */
const known = new Map<string, CallForm>();

/**
 * Returns the form of a tool's calls. If the family's notation cannot follow the schema exactly, the arguments are JSON.
 * @throws ApiError `invalid_value` for a schema or pattern that is not supported.
 */
export function callForm(tool: Tool, syntax: CallSyntax): CallForm {
  const key = JSON.stringify([syntax.family, tool]);
  const form = known.get(key) ?? formOf(tool, syntax);
  known.delete(key);
  known.set(key, form);
  if (known.size > MAX_KEPT) known.delete(known.keys().next().value!);
  return form;
}

function formOf(tool: Tool, syntax: CallSyntax): CallForm {
  const { before, name, after, end, plainInput, notation } = syntax;
  const named = [...before, name === 'json' ? JSON.stringify(tool.name) : tool.name];
  if (tool.custom !== undefined && plainInput !== undefined) {
    return {
      tool,
      begin: joinParts(...named, plainInput.after),
      input: toolInputGrammar(tool),
      reader: () => new PlainText(plainInput.end),
      end: [plainInput.end],
    };
  }
  const called = asFunction(tool);
  const { schema, grammar: asJson } = boundArguments(called);
  const own = notation?.grammar(schema) ?? null;
  const reader = () => (own === null ? new JsonArguments() : notation!.reader(schema));
  return {
    tool,
    begin: joinParts(...named, ...after),
    input: own ?? asJson,
    reader: tool.custom === undefined ? reader : () => new CustomInputReader(reader()),
    end,
  };
}
