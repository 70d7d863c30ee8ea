import type { JsonSchema, Tool } from '../../../shared/engine/completion-request.ts';
import type { Grammar } from '../../grammar/expressions/grammar.ts';
import { argumentsSchema, toolInputGrammar } from '../../grammar/request-grammar.ts';
import { CUSTOM_INPUT, type CallSyntax, type Part } from './call-syntax.ts';
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

/** The forms of the calls of each tool, because grammar and parser of an answer need the same. */
const known = new WeakMap<Tool, { readonly syntax: CallSyntax; readonly form: CallForm }>();

/**
 * Returns the form of a tool's calls. If the family's notation cannot follow the schema exactly, the arguments are JSON.
 * @throws ApiError `invalid_value` for a schema or pattern that is not supported.
 */
export function callForm(tool: Tool, syntax: CallSyntax): CallForm {
  const last = known.get(tool);
  if (last?.syntax === syntax) return last.form;
  const form = formOf(tool, syntax);
  known.set(tool, { syntax, form });
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
  const schema = argumentsSchema(called.parameters);
  const asJson = toolInputGrammar(called);
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

/** Returns a custom tool as a function with one string. Chat templates can describe only functions. */
function asFunction(tool: Tool): Tool {
  if (tool.custom === undefined) return tool;
  const { name, description, custom } = tool;
  const input: JsonSchema =
    custom.pattern === null ? { type: 'string' } : { type: 'string', pattern: `^(?:${custom.pattern})$` };
  const parameters = { type: 'object', properties: { [CUSTOM_INPUT]: input }, required: [CUSTOM_INPUT] };
  return { name, description, parameters: { ...parameters, additionalProperties: false } };
}
