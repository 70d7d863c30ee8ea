import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { ANNOTATIONS } from './annotations.ts';
import { ANY_CHARACTER, charactersOf, complement, intersection } from '../regular-language/character-set.ts';
import { and, literal, one, or, repeated, without, type Language } from '../regular-language/regular-language.ts';
import { matchesSchema } from './matches-schema.ts';
import { stringLanguage } from './scalar-grammar.ts';

const KEYWORDS = new Set(['type', 'minLength', 'maxLength', 'pattern', 'format', 'enum', 'const', ...ANNOTATIONS]);

/**
 * Returns the strings of a schema that allows nothing but strings, without those that contain a mark; null for another
 * schema. A string whose length is limited does not contain the mark's first character, because a grammar that counts
 * characters and looks for a mark would be too large.
 * @param mark Text that ends such a string where it is not quoted.
 * @throws SchemaRefusal for a pattern or format that is not supported.
 */
export function unquotedStrings(schema: JsonSchema, mark: string): Language | null {
  if (typeof schema === 'boolean' || !Object.keys(schema).every((keyword) => KEYWORDS.has(keyword))) return null;
  const fixed = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (Array.isArray(fixed)) {
    if (!fixed.every((value): value is string => typeof value === 'string' && !value.includes(mark))) return null;
    const allowed = fixed.filter((value) => matchesSchema(schema, schema, value));
    return allowed.length === 0 ? null : or(...allowed.map(literal));
  }
  if (schema['type'] !== 'string') return null;
  const { language, min, max } = stringLanguage(schema);
  if (min === 0 && max === Infinity) return and(language, without([mark]));
  const characters = intersection(ANY_CHARACTER, complement(charactersOf(mark.slice(0, 1))));
  return and(language, repeated(one(characters), min, max));
}
