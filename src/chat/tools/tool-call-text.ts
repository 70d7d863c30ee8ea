import { isToolName, type Answer, type ToolCall } from '../types/conversation.ts';
import { toolStrings } from '../strings/tool-strings.ts';
import { visibleText } from '../strings/visible-text.ts';
import { readToolArguments } from './read-tool-arguments.ts';

export function toolName({ name }: ToolCall): string {
  return isToolName(name) ? toolStrings.names[name] : toolStrings.unknown(visibleText(name, false));
}

/** The state of a call; `left` if the answer ended before the call had a result. */
export function outcomeOf({ outcome, result }: ToolCall, answer: Answer): keyof typeof toolStrings.states {
  const isOpen = result === '' && answer.state !== 'running';
  return isOpen ? 'left' : outcome;
}

/**
 * Returns the values that the tool gets, one per line. Arguments that the tool does not take are returned as the model
 * wrote them; such a call does not run.
 */
export function argumentsText({ name, arguments: given }: ToolCall): string {
  try {
    if (!isToolName(name)) return given;
    const values = Object.values(readToolArguments(name, given));
    return values.length === 0 ? toolStrings.nothing : values.join('\n');
  } catch {
    return given;
  }
}
