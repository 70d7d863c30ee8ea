import type { ToolCall } from '../../../shared/engine/completion-request.ts';
import { argumentsObject } from '../arguments-object.ts';
import type { CallSyntax, Part } from './call-syntax.ts';

/**
 * Writes calls as text in a family's syntax, for chat templates that give tools to the model but leave out the calls of
 * earlier turns.
 * @returns null if the syntax has a notation of its own for arguments that cannot be written.
 */
export function speller(syntax: CallSyntax): ((calls: readonly ToolCall[]) => string) | null {
  const { notation, open = '', separator, close = '', before, after, end, name: quotes } = syntax;
  if (notation !== undefined && notation.write === undefined) return null;
  return (calls) => {
    const written = calls.map(({ id, name, arguments: text }, index) => {
      const args = text.trim() === '' ? '{}' : text;
      const fill = (part: Part) => fillPart(part, id, index);
      return [
        ...before.map(fill),
        quotes === 'json' ? JSON.stringify(name) : name,
        ...after.map(fill),
        notation?.write === undefined ? args : notation.write(argumentsObject(args)),
        ...end.map(fill),
      ].join('');
    });
    return open + written.join(separator ?? '\n') + close;
  };
}

/** Fills a hole with the id of the call if it may stand there, else with its index, which has as many digits as it needs. */
function fillPart(part: Part, id: string, index: number): string {
  if (typeof part === 'string') return part;
  const fits = id.length >= part.min && id.length <= part.max && [...id].every((one) => part.characters.includes(one));
  return fits ? id : String(index).padStart(part.min, '0');
}
