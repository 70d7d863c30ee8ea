import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { KEYWORDS } from '../../../shared/json-schema/keywords.ts';
import { resolveReference } from '../../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { subschemas, type Subschema } from '../../../shared/json-schema/subschemas.ts';
import { countSteps } from '../regular-language/step-limit.ts';

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
    this.path = path;
  }
}

/**
 * A schema object whose references and alternatives have been resolved: only keywords that restrict a value directly
 * are left.
 */
export interface PlainNode {
  readonly schema: SchemaObject;
  readonly path: string;
}

/** Alternatives, of which a value must satisfy at least one. Each is a list of schemas that all apply. */
export type Alternatives = readonly (readonly PlainNode[])[];

/** Limit of the alternatives that one place in a schema may expand to. */
const MAX_ALTERNATIVES = 1000;

/** A schema that is looked at takes as long as this many other steps. */
const STEPS_OF_TASK = 2000;

export interface ExpandOptions {
  /** Whether no value can be valid against both the first schemas and the second. */
  readonly excludes: (first: readonly PlainNode[], second: readonly SchemaNode[]) => boolean;
}

interface Choice {
  readonly keyword: string;
  readonly path: string;
  readonly options: readonly SchemaNode[];
  readonly ancestors: ReadonlySet<object>;
}

interface Task extends SchemaNode {
  /** The schemas on the way to this one that apply to the same value. Used to detect a schema that refers to itself. */
  readonly ancestors: ReadonlySet<object>;
}

/**
 * Resolves `$ref`, `allOf`, `anyOf`, `oneOf` and dependencies of schemas that all apply.
 * @throws SchemaRefusal for a keyword that is not supported, or for a schema that refers only to itself.
 */
export function expand(root: JsonSchema, nodes: readonly SchemaNode[], options: ExpandOptions): Alternatives {
  const ancestors = new Set<object>();
  return expandTasks(
    nodes.map((node) => ({ ...node, ancestors })),
    [],
    [],
  );

  function expandTasks(tasks: readonly Task[], before: readonly PlainNode[], open: readonly Choice[]): Alternatives {
    const plain = [...before];
    const choices = [...open];
    const queue = [...tasks];
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const { schema, path } = task;
      countSteps(STEPS_OF_TASK);
      if (schema === true) continue;
      if (schema === false) return [];
      if (!isSchemaObject(schema)) throw new SchemaRefusal(path, 'must be a schema');
      if (task.ancestors.has(schema)) throw new SchemaRefusal(path, 'refers to itself without describing anything');
      if (plain.some((known) => known.schema === own(schema))) continue;
      refuseKeywords(schema, path, {
        isAlone: nodes.length === 1 && task.ancestors.size === 0,
      });
      if (isSchemaObject(schema.not)) return [];
      plain.push({ schema: own(schema), path });
      const within = new Set([...task.ancestors, schema]);
      const add = (inner: unknown, place: string) =>
        queue.push({ schema: inner as JsonSchema, path: place, ancestors: within });
      if (typeof schema.$ref === 'string') {
        const target = resolveReference(root, schema.$ref);
        if (target === undefined) throw new SchemaRefusal(`${path}/$ref`, 'leads to no schema');
        add(target, `${path}/$ref`);
      }
      list(schema.allOf).forEach((inner, index) => add(inner, `${path}/allOf/${index}`));
      for (const keyword of ['anyOf', 'oneOf']) {
        if (schema[keyword] === undefined) continue;
        const alternatives = list(schema[keyword]).map((inner, index) => ({
          schema: inner as JsonSchema,
          path: `${path}/${keyword}/${index}`,
        }));
        choices.push({ keyword, path: `${path}/${keyword}`, options: alternatives, ancestors: within });
      }
      for (const dependency of dependencies(schema, path)) choices.push({ ...dependency, ancestors: within });
    }

    const [choice, ...others] = choices;
    if (choice === undefined) return [plain];
    const found = choice.options.flatMap((option, index) => {
      const chosen = expandTasks([{ ...option, ancestors: choice.ancestors }], plain, others);
      return choice.keyword === 'oneOf' ? keepExclusive(chosen, choice, index) : chosen;
    });
    if (found.length > MAX_ALTERNATIVES)
      throw new SchemaRefusal(choice.path, `multiplies to more than ${MAX_ALTERNATIVES} alternatives`);
    return found;
  }

  /** Restricts the alternatives of one option of `oneOf` so that no value is also valid against another option. */
  function keepExclusive(chosen: Alternatives, { path, options: all }: Choice, index: number): Alternatives {
    return chosen.map((alternative) => {
      let exclusive = alternative;
      all.forEach((other, otherIndex) => {
        if (otherIndex === index || options.excludes(exclusive, [other])) return;
        const absent = absence(other, exclusive);
        if (absent === null)
          throw new SchemaRefusal(
            path,
            `has alternatives that a value may meet together, /${index} and /${otherIndex}; use anyOf`,
          );
        exclusive = [...exclusive, absent];
      });
      return exclusive;
    });
  }
}

/**
 * For an option that only has `required`, and perhaps `type`: returns a schema that forbids one of its properties,
 * chosen so that the other schemas do not require it. Null if there is none.
 */
function absence({ schema, path }: SchemaNode, others: readonly PlainNode[]): PlainNode | null {
  if (!isSchemaObject(schema) || Object.keys(schema).some((keyword) => keyword !== 'required' && keyword !== 'type'))
    return null;
  const required = others.flatMap((node) => list(node.schema.required));
  const missing = list(schema.required).find((name) => !required.includes(name));
  return missing === undefined ? null : { schema: withoutProperty(schema, missing as string), path };
}

/**
 * Cache of derived schemas. It returns the same object for the same schema, because {@link SchemaIds} and the detection
 * of recursion compare identities.
 */
const ABSENCES = new WeakMap<SchemaObject, Map<string, SchemaObject>>();
const DEPENDENCIES = new WeakMap<SchemaObject, readonly Omit<Choice, 'ancestors'>[]>();

function withoutProperty(of: SchemaObject, name: string): SchemaObject {
  const made = ABSENCES.get(of) ?? new Map<string, SchemaObject>();
  ABSENCES.set(of, made);
  if (!made.has(name)) made.set(name, { properties: { [name]: false } });
  return made.get(name)!;
}

/**
 * Returns a property's dependencies as choices: either the property is absent, or the object satisfies a further
 * schema.
 */
function dependencies(schema: SchemaObject, path: string): readonly Omit<Choice, 'ancestors'>[] {
  const known = DEPENDENCIES.get(schema);
  if (known !== undefined) return known;
  const made = dependentSchemas(schema).map(({ schema: dependent, name, keyword, place }) => ({
    keyword,
    path: path + place,
    options: [
      { schema: withoutProperty(schema, name), path: path + place },
      { schema: { type: 'object', required: [name], allOf: [dependent] }, path: path + place },
    ],
  }));
  DEPENDENCIES.set(schema, made);
  return made;
}

/** Returns the schemas that an object with a certain property satisfies, with the name of that property. */
export function dependentSchemas(schema: SchemaObject): readonly Subschema[] {
  return subschemas(schema).filter(({ keyword }) => KEYWORDS.get(keyword)?.value === 'dependency schemas');
}

/** Keywords that {@link expand} resolves. */
const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'dependentRequired', 'dependentSchemas', 'dependencies'];

const OWN_KEYWORDS = new WeakMap<SchemaObject, SchemaObject>();

/** Returns a schema without the keywords of {@link IN_PLACE}; the same object for the same schema. */
function own(schema: SchemaObject): SchemaObject {
  const known = OWN_KEYWORDS.get(schema);
  if (known !== undefined) return known;
  const keywords = Object.entries(schema).filter(([keyword]) => !IN_PLACE.includes(keyword));
  const made = keywords.length === Object.keys(schema).length ? schema : Object.fromEntries(keywords);
  OWN_KEYWORDS.set(schema, made);
  return made;
}

interface Position {
  /** Whether no other schema applies to the same value. */
  readonly isAlone: boolean;
}

function refuseKeywords(schema: SchemaObject, path: string, position: Position): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const place = `${path}/${keyword}`;
    const known = KEYWORDS.get(keyword);
    if (known?.support !== 'refused' || isHarmless(keyword, value, schema, position)) continue;
    throw new SchemaRefusal(place, `is not supported${known.note === '' ? '' : `: ${known.note}`}`);
  }
}

function isHarmless(keyword: string, value: unknown, schema: SchemaObject, { isAlone }: Position): boolean {
  switch (keyword) {
    case 'uniqueItems':
      return value === false || (typeof schema.maxItems === 'number' && schema.maxItems <= 1);
    case 'not':
      return isSchemaObject(value) && Object.keys(value).length === 0;
    case 'if':
      return schema.then === undefined && schema.else === undefined;
    case 'unevaluatedProperties': {
      const alternatives = ['anyOf', 'oneOf', 'dependentSchemas', 'dependencies', 'if'];
      return (
        value === true || (value === false && isAlone && !alternatives.some((other) => schema[other] !== undefined))
      );
    }
    case 'unevaluatedItems':
      return value === true || (value === false && isAlone && schema.if === undefined);
    default:
      return false;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
