import type { JsonObject } from './read-fields.ts';

/** A tool call in Ollama's format. */
export interface ToolCall {
  readonly id: string;
  readonly function: { readonly index: number; readonly name: string; readonly arguments: unknown };
}

/** A piece of a tool call in the endpoint's format. */
export interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** Joins the pieces of tool calls. */
export class ToolCalls {
  readonly #calls = new Map<number, { id: string; name: string; text: string }>();

  add({ index, id, function: called }: CallDelta): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', text: '' };
    this.#calls.set(index, call);
    call.id ||= id ?? '';
    call.name ||= called?.name ?? '';
    call.text += called?.arguments ?? '';
  }

  /** Returns the calls with their arguments as objects. A call that the token limit cut off is left out. */
  complete(): ToolCall[] {
    return [...this.#calls].flatMap(([index, { id, name, text }]) => {
      const given = parseArguments(text);
      return given === null ? [] : [{ id, function: { index, name, arguments: given } }];
    });
  }
}

function parseArguments(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}
