import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { KEYWORDS } from '../../../shared/json-schema/keywords.ts';
import { resolveReference } from '../../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { countSteps } from '../regular-language/step-limit.ts';
import { dependentSchemas } from './dependent-schemas.ts';
import { typesOf } from './json-types.ts';
import { isPlainNegation, negated, violationsOf } from './negated-schema.ts';
import { HIDDEN, SchemaRefusal, type Alternatives, type PlainNode, type SchemaNode } from './schema-nodes.ts';
import { withoutUnevaluated } from './unevaluated.ts';

/** Limit of the alternatives that one place in a schema may expand to. */
const MAX_ALTERNATIVES = 1000;

/** A schema that is looked at takes as long as this many other steps. */
const STEPS_OF_TASK = 2000;

/** A schema that is taken along to an alternative takes as long as this many other steps. */
const STEPS_OF_COPY = 300;

export interface ExpandOptions {
  /** Whether no value can be valid against both the first schemas and the second. */
  readonly excludes: (first: readonly PlainNode[], second: readonly SchemaNode[]) => boolean;
}

interface Choice {
  readonly keyword: string;
  readonly path: string;
  /** Each option is a list of schemas that all apply. */
  readonly options: readonly (readonly SchemaNode[])[];
  readonly around: Around;
}

/** What is known of the schemas on the way to one that applies to the same value. */
interface Around {
  /** Used to detect a schema that refers to itself. */
  readonly ancestors: ReadonlySet<object>;
  /** Those of them for which this one describes properties and items: none outside `not`. */
  readonly within: ReadonlySet<object>;
}

type Task = SchemaNode & Around;

/**
 * Resolves `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if`, dependencies and `unevaluated…` of schemas that all apply.
 * @throws SchemaRefusal for a keyword that is not supported, or for a schema that refers only to itself.
 */
export function expand(root: JsonSchema, nodes: readonly SchemaNode[], options: ExpandOptions): Alternatives {
  return expandTasks(tasksOf(nodes, NOWHERE), [], []);

  function expandTasks(tasks: readonly Task[], before: readonly PlainNode[], open: readonly Choice[]): Alternatives {
    countSteps(before.length * STEPS_OF_COPY);
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
      refuseKeywords(schema, path);
      const around = {
        ancestors: new Set([...task.ancestors, schema]),
        within: new Set([...task.within, schema]),
      };
      plain.push({ schema: own(schema), path, origin: schema, within: around.within });
      const inner = list(schema.allOf).map((one, index) => ({
        schema: one as JsonSchema,
        path: `${path}/allOf/${index}`,
      }));
      if (typeof schema.$ref === 'string') {
        const target = resolveReference(root, schema.$ref);
        if (target === undefined) throw new SchemaRefusal(`${path}/$ref`, 'leads to no schema');
        inner.unshift({ schema: target as JsonSchema, path: `${path}/$ref` });
      }
      queue.unshift(...tasksOf(inner, around));
      choices.push(...choicesOf(root, schema, path, around));
    }

    const [choice, ...others] = choices;
    if (choice === undefined) return [withoutUnevaluated(plain)];
    const found: Alternative[] = [];
    const { around, options: all } = choice;
    const fitting = all.filter((option) =>
      option.every((node) => typesOf([...plain, asPlain(node)], false).length > 0),
    );
    // If none fits, an error names the contradiction.
    for (const option of fitting.length === 0 ? all : fitting) {
      const chosen = expandTasks(tasksOf(option, around), plain, others);
      found.push(...(choice.keyword === 'oneOf' ? keepExclusive(chosen, choice, all.indexOf(option)) : chosen));
      if (found.length > MAX_ALTERNATIVES)
        throw new SchemaRefusal(choice.path, `multiplies to more than ${MAX_ALTERNATIVES} alternatives`);
    }
    return found;
  }

  /** Restricts the alternatives of one option of `oneOf` so that no value is also valid against another option. */
  function keepExclusive(chosen: Alternatives, { path, options: all }: Choice, index: number): Alternatives {
    return all.reduce<Alternatives>((alternatives, [other], otherIndex) => {
      if (otherIndex === index || other === undefined) return alternatives;
      return alternatives.flatMap((alternative): Alternatives => {
        if (options.excludes(alternative, [other])) return [alternative];
        const absent = absence(other, alternative);
        if (absent !== null) return [[...alternative, absent]];
        try {
          const node = { schema: negated(other.schema), path: path + HIDDEN };
          return expandTasks(tasksOf([node], NOWHERE), alternative, []);
        } catch (thrown) {
          if (!(thrown instanceof SchemaRefusal)) throw thrown;
          const places = `/${index} and /${otherIndex}`;
          throw new SchemaRefusal(path, `has alternatives that a value may meet together, ${places}; use anyOf`);
        }
      });
    }, chosen);
  }
}

type Alternative = Alternatives[number];

const NOWHERE: Around = { ancestors: new Set(), within: new Set() };

function tasksOf(nodes: readonly SchemaNode[], around: Around): readonly Task[] {
  return nodes.map(({ schema, path }) => ({ schema, path, ...around }));
}

function asPlain({ schema, path }: SchemaNode): PlainNode {
  return { schema: isSchemaObject(schema) ? schema : {}, path };
}

/** Returns the lists of schemas inside a schema from each of which a value must meet one. */
function choicesOf(root: JsonSchema, schema: SchemaObject, path: string, around: Around): readonly Choice[] {
  const alternatives = ['anyOf', 'oneOf'].flatMap((keyword): Choice[] => {
    if (schema[keyword] === undefined) return [];
    const place = `${path}/${keyword}`;
    const options = list(schema[keyword]).map((inner, index) => [
      { schema: inner as JsonSchema, path: `${place}/${index}` },
    ]);
    const mayMeetSeveral = keyword === 'anyOf' && options.length <= MAX_COMBINED && isObserved(around);
    return [{ keyword, path: place, options: mayMeetSeveral ? combinations(options) : options, around }];
  });
  return [
    ...alternatives,
    ...negation(root, schema, path, around),
    ...condition(schema, path, around),
    ...dependencies(schema, path).map((one) => ({ ...one, around })),
  ];
}

/** Whether it matters which properties or items a schema describes besides those that it restricts. */
function isObserved({ within }: Around): boolean {
  return [...within].some((schema) => 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema);
}

/** Limit of the options of which each combination is tried. */
const MAX_COMBINED = 4;

function combinations(options: Choice['options']): Choice['options'] {
  return Array.from({ length: 2 ** options.length - 1 }, (_, bits) =>
    options.flatMap((option, index) => (((bits + 1) >> index) % 2 === 1 ? option : [])),
  );
}

function negation(root: JsonSchema, schema: SchemaObject, path: string, around: Around): readonly Choice[] {
  if (schema.not === undefined || isPlainNegation(schema)) return [];
  const found = violationsOf(schema.not as JsonSchema, root);
  const place = `${path}/not`;
  if (typeof found === 'string') throw new SchemaRefusal(place, `is not supported around \`${found}\``);
  const options = found.map((one) => [{ schema: one, path: place + HIDDEN }]);
  return [{ keyword: 'not', path: place, options, around: { ...around, within: new Set() } }];
}

function condition(schema: SchemaObject, path: string, around: Around): readonly Choice[] {
  const { if: tested, then, else: otherwise } = schema;
  const isIdle = then === undefined && otherwise === undefined && !isObserved(around);
  if (tested === undefined || isIdle) return [];
  const node = (keyword: string, inner: unknown = true) => ({
    schema: inner as JsonSchema,
    path: `${path}/${keyword}`,
  });
  const options = [
    [node('if', tested), node('then', then)],
    [node(`if${HIDDEN}`, negated(tested as JsonSchema)), node('else', otherwise)],
  ];
  return [{ keyword: 'if', path: `${path}/if`, options, around }];
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
const DEPENDENCIES = new WeakMap<SchemaObject, readonly Omit<Choice, 'around'>[]>();

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
function dependencies(schema: SchemaObject, path: string): readonly Omit<Choice, 'around'>[] {
  const known = DEPENDENCIES.get(schema);
  if (known !== undefined) return known;
  const made = dependentSchemas(schema).map(({ schema: dependent, name, keyword, place }) => ({
    keyword,
    path: path + place,
    options: [
      [{ schema: withoutProperty(schema, name), path: path + place }],
      [{ schema: { type: 'object', required: [name], allOf: [dependent] }, path: path + place }],
    ],
  }));
  DEPENDENCIES.set(schema, made);
  return made;
}

/** Keywords that {@link expand} resolves. */
const IN_PLACE = new Set(
  '$ref allOf anyOf oneOf not if then else dependentRequired dependentSchemas dependencies'.split(' '),
);

const OWN_KEYWORDS = new WeakMap<SchemaObject, SchemaObject>();

/** Returns a schema without the keywords that {@link expand} resolves; the same object for the same schema. */
function own(schema: SchemaObject): SchemaObject {
  const known = OWN_KEYWORDS.get(schema);
  if (known !== undefined) return known;
  const keeps = isPlainNegation(schema) ? 'not' : '';
  const keywords = Object.entries(schema).filter(([keyword]) => !IN_PLACE.has(keyword) || keyword === keeps);
  const made = keywords.length === Object.keys(schema).length ? schema : Object.fromEntries(keywords);
  OWN_KEYWORDS.set(schema, made);
  return made;
}

function refuseKeywords(schema: SchemaObject, path: string): void {
  for (const keyword of Object.keys(schema)) {
    const known = KEYWORDS.get(keyword);
    if (known?.support === 'refused') throw new SchemaRefusal(`${path}/${keyword}`, `is not supported: ${known.note}`);
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
