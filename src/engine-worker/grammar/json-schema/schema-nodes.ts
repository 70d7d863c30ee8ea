import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import type { SchemaObject } from '../../../shared/json-schema/schema-object.ts';

/** What follows this mark in a path is not a part of the client's schema. */
export const HIDDEN = '\0';

/** A schema and its place in the whole schema; errors name the place. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** Keywords and property names, each after a slash; empty for the root. */
  readonly path: string;
}

/** A schema that is not supported. The message is the rest of a sentence whose subject is the path. */
export class SchemaRefusal extends Error {
  readonly path: string;

  constructor(path: string, text: string) {
    super(text);
    this.path = path.split(HIDDEN, 1)[0]!;
  }
}

/**
 * A schema object whose references and alternatives have been resolved: only keywords that restrict a value directly
 * are left.
 */
export interface PlainNode {
  readonly schema: SchemaObject;
  readonly path: string;
  /** The schema before references and alternatives were resolved; missing for a schema that was made. */
  readonly origin?: SchemaObject;
  /** The original schema and those around it for which this one describes properties and items. */
  readonly within?: ReadonlySet<object>;
}

/** Alternatives, of which a value must satisfy at least one. Each is a list of schemas that all apply. */
export type Alternatives = readonly (readonly PlainNode[])[];
