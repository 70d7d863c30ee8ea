import type { JsonSchema } from '../../../../shared/engine/completion-request.ts';
import type { Grammar } from '../../../grammar/expressions/grammar.ts';

/** How a model family writes the arguments of a call, if not as JSON. */
export interface ArgumentNotation {
  /**
   * Returns the grammar of the arguments that satisfy a schema. Null if this notation cannot follow the schema exactly,
   * or could not be read back as the same JSON; the arguments are then written as JSON in the family's call.
   * @param schema The schema of the arguments object.
   */
  grammar(schema: JsonSchema): Grammar | null;
  /** Creates a reader that converts arguments to JSON. @param schema See {@link grammar}; it is not null for it. */
  reader(schema: JsonSchema): ArgumentReader;
  /** Writes arguments. Absent for a notation that chat templates write themselves. */
  write?(args: Readonly<Record<string, unknown>>): string;
}

/** Reads the arguments of one call while the model writes them. */
export interface ArgumentReader {
  /**
   * Reads the front of the text that was not read before, as far as it is certain.
   * @param text The unread text. The next call gets it without the part that was read, and with what follows.
   */
  read(text: string): ReadPart;
}

export interface ReadPart {
  /** Number of characters that were read. */
  readonly length: number;
  /** The part of the arguments that these characters are, as JSON. All parts together are the whole JSON text. */
  readonly json: string;
  /** Whether the arguments are complete. Then nothing more is read. */
  readonly ended: boolean;
}
