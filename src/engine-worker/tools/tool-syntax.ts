import type { ToolCall } from '../../shared/engine/completion-request.ts';
import { HERMES } from './call-syntax/call-syntaxes.ts';

/** Writes calls as text in Hermes' syntax. */
export function hermesCalls(calls: readonly ToolCall[]): string {
  return calls.map((call) => toolCallText(call.name, call.arguments, call.custom)).join('\n');
}

/** Returns a whole call in Hermes' syntax. @param args The arguments as JSON text, or a custom tool's plain-text input. */
export function toolCallText(name: string, args: string, custom = false): string {
  const { before, after, end, plainInput } = HERMES;
  const named = [...before, JSON.stringify(name)];
  const parts = custom
    ? [...named, plainInput!.after, args, plainInput!.end]
    : [...named, ...after, args.trim() === '' ? '{}' : args, ...end];
  return parts.join('');
}

/** Wraps a tool's result as a user turn, for chat templates without a tool role. */
export function toolReplyText(content: string): string {
  return `<tool_response>\n${content}\n</tool_response>`;
}
