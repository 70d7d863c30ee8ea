/**
 * Begins a tool call, in prompts and in answers. The syntax is that of the Hermes and Qwen model families: many small
 * models are trained on it, and it is simple enough for the others.
 */
export const TOOL_CALL_OPEN = '<tool_call>';
export const TOOL_CALL_CLOSE = '</tool_call>';

/** Returns the text of a call before its JSON arguments. The grammar forces the model to write exactly this text. */
export function toolCallBegin(name: string): string {
  return `${TOOL_CALL_OPEN}\n{"name": ${JSON.stringify(name)}, "arguments": `;
}

/** The text of a call after its JSON arguments. */
export const TOOL_CALL_END = `}\n${TOOL_CALL_CLOSE}`;

/**
 * Returns the text of a custom tool's call before its input. The input is plain text, because small models make errors
 * in JSON escapes.
 */
export function customCallBegin(name: string): string {
  return `${TOOL_CALL_OPEN}\n{"name": ${JSON.stringify(name)}}\n`;
}

/** The text of a custom tool's call after its input. */
export const CUSTOM_CALL_END = `\n${TOOL_CALL_CLOSE}`;

/** Returns a whole call. @param args The arguments as JSON text, or the plain-text input of a custom tool. */
export function toolCallText(name: string, args: string, custom = false): string {
  if (custom) return customCallBegin(name) + args + CUSTOM_CALL_END;
  return toolCallBegin(name) + (args.trim() === '' ? '{}' : args) + TOOL_CALL_END;
}

/** Wraps a tool's result as a user turn, for chat templates without a tool role. */
export function toolReplyText(content: string): string {
  return `<tool_response>\n${content}\n</tool_response>`;
}
