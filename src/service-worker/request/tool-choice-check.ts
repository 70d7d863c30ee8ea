import { ApiError } from '../../shared/api-error.ts';
import type { ToolChoice } from '../../shared/engine/completion-request.ts';
import { array, invalid, object, oneOf, required } from './checks.ts';
import type { Check, JsonObject } from './checks.ts';

export interface ReadToolChoice {
  readonly choice: ToolChoice;
  /** Names of the only tools of the request that may be called; null for all of them. */
  readonly allowed: readonly string[] | null;
}

/** What differs between the routes that have a `tool_choice`. */
export interface ToolChoiceForm {
  /** Whether the request, whose tools have been checked, has none. */
  offersNone(body: JsonObject): boolean;
  /** The name of a tool that the request offers. */
  readonly readName: Check<string>;
  /** What has `mode` and `tools` where only some tools are allowed, and its path. */
  allowedTools(choice: JsonObject, param: string): readonly [value: unknown, param: string];
}

/** Reads `tool_choice`, which comes behind `tools` in each table of fields. */
export function toolChoiceCheck({ offersNone, readName, allowedTools }: ToolChoiceForm): Check<ReadToolChoice> {
  const readAllowedTools: Check<ReadToolChoice> = (value, param, body) => {
    const { mode, tools } = required(object)(value, param, body);
    const choice = required(oneOf(['auto', 'required']))(mode, `${param}.mode`, body);
    const path = `${param}.tools`;
    const allowed = required(array)(tools, path, body).map((entry, index) =>
      readName(entry, `${path}[${index}]`, body),
    );
    if (allowed.length === 0) throw invalid('empty_array', path, 'an array that names at least one of `tools`', tools);
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
