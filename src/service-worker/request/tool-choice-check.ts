import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { ToolChoice } from '../../shared/engine/completion-request.ts';
import { array, invalid, membersOf, object, oneOf, required } from './checks.ts';
import type { Check, JsonObject } from './checks.ts';

export interface ReadToolChoice {
  readonly choice: ToolChoice;
  /** Names of the tools that may be called; null for all. */
  readonly allowed: readonly string[] | null;
}

/** What differs between the routes that have a `tool_choice`. */
export interface ToolChoiceForm {
  /** Whether the request has no tools. Called after the check of `tools`. */
  offersNone(body: JsonObject): boolean;
  /** Reads the name of a tool, which must be in `tools`. */
  readonly readName: Check<string>;
  /** Returns the object with `mode` and `tools` of a choice of type `allowed_tools`, and its path. */
  allowedTools(choice: JsonObject, param: string): readonly [value: unknown, param: string];
}

/** The error about a choice of something that `tools` does not offer. */
export function notOffered(param: string, value: string): ApiError {
  return new ApiError('invalid_value', `\`${param}\` is ${quote(value)}, which is not among \`tools\`.`, { param });
}

/** The error about a tool of a type that only the cloud service has. */
export function hostedTool(param: string, type: string): ApiError {
  const sentence = `\`${param}\` is ${quote(type)}, a tool that the cloud service hosts and this device does not have. Leave it out, or offer a function of your own as a tool.`;
  return new ApiError('unsupported_value', sentence, { param });
}

/** Creates the check of `tool_choice`. It relies on `tools`, so a field table must list `tools` before it. */
export function toolChoiceCheck({ offersNone, readName, allowedTools }: ToolChoiceForm): Check<ReadToolChoice> {
  const readAllowedTools: Check<ReadToolChoice> = (value, param, body) => {
    const member = membersOf(required(object)(value, param, body), param, body);
    const choice = member('mode', required(oneOf(['auto', 'required'])));
    const path = `${param}.tools`;
    const allowed = member('tools', required(array)).map((entry, index) => readName(entry, `${path}[${index}]`, body));
    if (allowed.length === 0) throw invalid('empty_array', path, 'an array that names at least one of `tools`', []);
    return { choice, allowed };
  };
  return (value, param, body) => {
    if (typeof value === 'string') {
      const choice = oneOf(['auto', 'none', 'required'])(value, param, body);
      if (choice === 'required' && offersNone(body)) {
        throw new ApiError('invalid_value', `\`${param}\` is "required", but \`tools\` offers none.`, { param });
      }
      return { choice, allowed: null };
    }
    const choice = object(value, param, body);
    if (choice.type === 'allowed_tools') return readAllowedTools(...allowedTools(choice, param), body);
    return { choice: { name: readName(choice, param, body) }, allowed: null };
  };
}
