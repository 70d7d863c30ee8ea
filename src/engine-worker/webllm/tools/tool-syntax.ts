/**
 * How a call is written in a prompt and in an answer: the syntax of the Hermes and Qwen families, which
 * many small models have seen, and plain enough for the others.
 */
export const TOOL_CALL_OPEN = '<tool_call>';
export const TOOL_CALL_CLOSE = '</tool_call>';

/** Everything of a call before its arguments. The grammar holds a model to exactly this text. */
export function toolCallBegin(name: string): string {
  return `${TOOL_CALL_OPEN}\n{"name": ${JSON.stringify(name)}, "arguments": `;
}

/** Everything of a call after its arguments. */
export const TOOL_CALL_END = `}\n${TOOL_CALL_CLOSE}`;

/** Everything of a call of a custom tool before its input, which is written as it is: quoted in JSON it would be misspelt. */
export function customCallBegin(name: string): string {
  return `${TOOL_CALL_OPEN}\n{"name": ${JSON.stringify(name)}}\n`;
}

/** Everything of a call of a custom tool after its input. */
export const CUSTOM_CALL_END = `\n${TOOL_CALL_CLOSE}`;

/** @param args JSON text; the input of a custom tool. */
export function toolCallText(name: string, args: string, custom = false): string {
  if (custom) return customCallBegin(name) + args + CUSTOM_CALL_END;
  return toolCallBegin(name) + (args.trim() === '' ? '{}' : args) + TOOL_CALL_END;
}

/** A tool's reply, for templates that know no tool role. */
export function toolReplyText(content: string): string {
  return `<tool_response>\n${content}\n</tool_response>`;
}
