import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import type { SchemaCompiler, Values } from './schema-compiler.ts';
import { formatPattern, NUMBER_FORMATS } from './formats/formats.ts';
import {
  ALL,
  and,
  literal,
  NONE,
  not,
  one,
  or,
  repeated,
  type Language,
} from '../regular-language/regular-language.ts';
import { ANY_CHARACTER } from '../regular-language/character-set.ts';
import { FRACTIONS, numberLanguage } from '../regular-language/number-language.ts';
import { patternLanguage, PatternProblem } from '../regular-language/parse-pattern.ts';
import { SchemaRefusal, type PlainNode, type SchemaNode } from './schema-nodes.ts';
import { matchesSchema } from './matches-schema.ts';

/** Returns the strings that are valid against every given schema. */
export function textsOf(compiler: SchemaCompiler, nodes: readonly PlainNode[]): Values {
  const { min, max } = lengths(nodes);
  if (min > max) {
    return { kind: 'other', expression: compiler.conflict(placeOf(nodes, 'minLength'), 'is above `maxLength`') };
  }
  const { language, path } = textLanguage(nodes);
  return {
    kind: 'text',
    language: and(language, ofLength(min, max)),
    path,
    free: language === ALL ? [min, max] : null,
  };
}

/**
 * Returns the texts that one schema of strings allows: the limits of their length, and the language of its other keywords.
 * @throws SchemaRefusal
 */
export function stringLanguage(schema: SchemaObject): { language: Language; min: number; max: number } {
  const nodes = [{ schema, path: '' }];
  return { language: textLanguage(nodes).language, ...lengths(nodes) };
}

/** Returns the property names that a schema of `propertyNames` allows. */
export function nameLanguage(
  compiler: SchemaCompiler,
  names: SchemaNode,
): { language: Language; listed: readonly string[] | null } {
  const alternatives = compiler.expand([names]).map((nodes) => {
    const values = nodes.flatMap(({ schema }) =>
      schema.const === undefined ? ((schema.enum as unknown[] | undefined) ?? []) : [schema.const],
    );
    if (nodes.some(({ schema }) => schema.const !== undefined || schema.enum !== undefined)) {
      const listed = values.filter(
        (value): value is string =>
          typeof value === 'string' && nodes.every((node) => matchesSchema(compiler.root, node.schema, value)),
      );
      return { language: or(...listed.map(literal)), listed };
    }
    if (nodes.some(({ schema: { type = 'string' } }) => ![type].flat().includes('string')))
      return { language: NONE, listed: [] };
    const { min, max } = lengths(nodes);
    return { language: min > max ? NONE : and(textLanguage(nodes).language, ofLength(min, max)), listed: null };
  });
  const listed = alternatives.every((one) => one.listed !== null) ? alternatives.flatMap((one) => one.listed!) : null;
  return { language: or(...alternatives.map(({ language }) => language)), listed };
}

function lengths(nodes: readonly PlainNode[]): { min: number; max: number } {
  const limits = (keyword: string) =>
    nodes.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []));
  return { min: Math.max(0, ...limits('minLength')), max: Math.min(Infinity, ...limits('maxLength')) };
}

function ofLength(min: number, max: number): Language {
  return repeated(one(ANY_CHARACTER), min, max);
}

/**
 * Returns the texts that the patterns and formats of some schemas allow, and the path of the last pattern or format.
 */
function textLanguage(nodes: readonly PlainNode[]): { language: Language; path: string } {
  const { min, max } = lengths(nodes);
  const hasPattern = nodes.some(({ schema }) => schema.pattern !== undefined);
  const languages: Language[] = [];
  let path = '';
  for (const { schema, path: place } of nodes) {
    if (typeof schema.pattern === 'string') {
      path = `${place}/pattern`;
      languages.push(languageOfPattern(schema.pattern, path));
    }
    if (isSchemaObject(schema.not)) {
      path = `${place}/not`;
      languages.push(not(excludedTexts(schema.not, path)));
    }
    if (typeof schema.format === 'string') {
      const pattern = formatPattern(schema.format, min, max, hasPattern);
      // A format that is not known is an annotation, and allows all texts.
      if (pattern === undefined) continue;
      path = `${place}/format`;
      languages.push(languageOfPattern(pattern, path, true));
    }
  }
  return { language: and(...languages), path };
}

/** Returns the texts that a schema of {@link isPlainNegation} excludes. */
function excludedTexts({ pattern, enum: listed }: SchemaObject, path: string): Language {
  return typeof pattern === 'string'
    ? languageOfPattern(pattern, path)
    : or(...(listed as readonly string[]).map(literal));
}

/**
 * Returns the texts that a pattern matches.
 * @param whole Whether it must match the whole text, as the pattern of a format. Default: false. Errors do not quote such a
 * pattern, because the client has not written it.
 * @throws SchemaRefusal
 */
export function languageOfPattern(pattern: string, path: string, whole = false): Language {
  try {
    return patternLanguage(pattern, whole);
  } catch (thrown) {
    if (!(thrown instanceof PatternProblem)) throw thrown;
    throw new SchemaRefusal(path, whole ? thrown.message : `${thrown.message}: ${JSON.stringify(pattern)}`);
  }
}

/** Returns the numbers that are valid against every given schema. */
export function numbersOf(compiler: SchemaCompiler, nodes: readonly PlainNode[], whole: boolean): Values {
  let [min, max, minExcluded, maxExcluded] = [-Infinity, Infinity, false, false];
  const multiplesOf: number[] = [];
  let path = nodes.at(-1)?.path ?? '';
  for (const { schema, path: place } of nodes) {
    const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, format } = schema;
    const [low, high] =
      typeof format === 'string' && Object.hasOwn(NUMBER_FORMATS, format)
        ? NUMBER_FORMATS[format]!
        : [-Infinity, Infinity];
    for (const [bound, excluded] of [
      [minimum, exclusiveMinimum === true],
      [low, false],
      [exclusiveMinimum, true],
    ] as const) {
      if (typeof bound !== 'number' || bound < min || (bound === min && !excluded)) continue;
      [min, minExcluded, path] = [bound, excluded, place];
    }
    for (const [bound, excluded] of [
      [maximum, exclusiveMaximum === true],
      [high, false],
      [exclusiveMaximum, true],
    ] as const) {
      if (typeof bound !== 'number' || bound > max || (bound === max && !excluded)) continue;
      [max, maxExcluded, path] = [bound, excluded, place];
    }
    if (typeof multipleOf === 'number') {
      multiplesOf.push(multipleOf);
      path = `${place}/multipleOf`;
    }
  }
  const isFraction = nodes.some(({ schema }) => schema.not !== undefined);
  const numbers = numberLanguage({ whole, min, max, minExcluded, maxExcluded, multiplesOf });
  const language = isFraction ? and(numbers, whole ? NONE : FRACTIONS) : numbers;
  if (language !== NONE) return { kind: 'numeral', language, path };
  return {
    kind: 'other',
    expression: compiler.conflict(
      placeOf(nodes, 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'),
      'leaves no number that can be written',
    ),
  };
}

/** Returns the place of the first of some keywords that a schema has. */
function placeOf(nodes: readonly PlainNode[], ...keywords: readonly string[]): string {
  const places = keywords.flatMap((keyword) =>
    nodes.flatMap(({ schema, path }) => (schema[keyword] === undefined ? [] : [`${path}/${keyword}`])),
  );
  return places[0] ?? nodes[0]?.path ?? '';
}
