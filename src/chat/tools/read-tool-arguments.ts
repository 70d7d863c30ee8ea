import { quote } from '../../shared/describe-value.ts';
import { toolParameters } from '../api/tool-definitions.ts';
import type { ToolName } from '../types/conversation.ts';

/** Limit of an argument's characters: more than this nobody reads before allowing a call. */
const MAX_ARGUMENT_LENGTH = 20_000;

/**
 * Reads the arguments of a call, which the model may have written in any form. What this returns is shown to the user,
 * and the tool gets nothing else.
 * @param text The arguments as the model wrote them: a JSON object with a string for each parameter of the tool. An
 * empty text means no arguments. If a name occurs twice, its last value counts, as in `JSON.parse`.
 * @throws Error with a message for the model, for anything else.
 */
export function readToolArguments(name: ToolName, text: string): Readonly<Record<string, string>> {
  const parameters = toolParameters(name);
  const given = text.trim() === '' ? {} : jsonIn(text);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('The arguments are no JSON object.');
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (!parameters.includes(key)) throw new Error(`${name} takes no argument called ${quote(key)}.`);
    if (typeof value !== 'string') throw new Error(`The argument "${key}" is no string.`);
    if (value.length > MAX_ARGUMENT_LENGTH)
      throw new Error(`The argument "${key}" has more than ${MAX_ARGUMENT_LENGTH} characters.`);
    values[key] = value;
  }
  const missing = parameters.find((key) => values[key] === undefined);
  if (missing !== undefined) throw new Error(`The argument "${missing}" is missing.`);
  return values;
}

/** Parses JSON; null if the text is not JSON. The parser's message would not help the model. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
