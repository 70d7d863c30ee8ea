import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { isSchemaObject } from '../../../shared/json-schema/schema-object.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { choice, NOTHING, repeat, rule, sequence, text, type Expression } from '../expressions/grammar.ts';
import type { Spacing } from './json-parts.ts';
import { JSON_TEXT } from '../expressions/language-grammar.ts';
import { ALL, and, hasText, literal, not, or, type Language } from '../regular-language/regular-language.ts';
import { languageOfPattern, nameLanguage } from './scalar-grammar.ts';
import { SchemaRefusal, type PlainNode, type SchemaNode } from './schema-nodes.ts';

/**
 * Limit of patterns for property names. Each combination of matching patterns needs an expression of its own, and each
 * further pattern doubles their number.
 */
const MAX_PATTERNS = 4;

interface Member {
  /** The name, the colon and the value. */
  readonly written: Expression;
  readonly required: boolean;
}

/**
 * Returns the expression for the objects that are valid against every given schema. Declared properties come first, in
 * their order, then others.
 */
export function objectExpression(compiler: SchemaCompiler, nodes: readonly PlainNode[]): Expression {
  const patterns = patternsOf(nodes);
  const names = nodes.flatMap(({ schema, path }) =>
    schema.propertyNames === undefined
      ? []
      : [nameLanguage(compiler, { schema: schema.propertyNames as JsonSchema, path: `${path}/propertyNames` })],
  );
  const listed = names.find((one) => one.listed !== null)?.listed ?? [];
  const required = new Set(
    nodes.flatMap(({ schema }) => (Array.isArray(schema.required) ? (schema.required as string[]) : [])),
  );
  const declared = new Set([
    ...nodes.flatMap(({ schema }) => Object.keys(objectOf(schema.properties))),
    ...required,
    ...listed,
  ]);

  const members = [...declared].flatMap((name): Member[] => {
    const isNamed = names.every(({ language }) => hasText(language, name));
    const schemas = nodes.flatMap((node) => propertySchemas(node, name, patterns));
    const isImpossible = !isNamed || schemas.some(({ schema }) => schema === false);
    if (isImpossible && !required.has(name)) return [];
    const value = isImpossible
      ? compiler.conflict(
          `${nodes[0]!.path}/required`,
          `asks for a property that is not allowed, ${JSON.stringify(name)}`,
        )
      : compiler.value(schemas);
    return [
      { written: sequence(text(JSON.stringify(name)), compiler.spacing.colon, value), required: required.has(name) },
    ];
  });
  const others = otherMembers(compiler, nodes, patterns, [...declared], and(...names.map(({ language }) => language)));
  return new MemberList(compiler, nodes, members, others).expression();
}

/**
 * Writes the members of an object in order, with commas between them. If a schema limits their number, also counts
 * them.
 */
class MemberList {
  readonly #compiler: SchemaCompiler;
  readonly #members: readonly Member[];
  readonly #others: Expression;
  readonly #min: number;
  readonly #max: number;
  readonly #path: string;
  readonly #known = new Map<string, string>();
  readonly #spacing: Spacing;

  constructor(compiler: SchemaCompiler, nodes: readonly PlainNode[], members: readonly Member[], others: Expression) {
    const limits = (keyword: string) =>
      nodes.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []));
    this.#compiler = compiler;
    this.#spacing = compiler.spacing;
    this.#members = members;
    this.#others = others;
    this.#min = Math.max(0, ...limits('minProperties'));
    this.#max = Math.min(Infinity, ...limits('maxProperties'));
    this.#path = nodes[0]?.path ?? '';
  }

  expression(): Expression {
    if (this.#min > this.#max)
      return this.#compiler.conflict(`${this.#path}/minProperties`, 'is above `maxProperties`');
    if (this.#others === NOTHING && this.#min > this.#members.length)
      return this.#compiler.conflict(
        `${this.#path}/minProperties`,
        'asks for more properties than the schema describes; allow others with `additionalProperties`',
      );
    if (this.#members.filter(({ required }) => required).length > this.#max)
      return this.#compiler.conflict(`${this.#path}/maxProperties`, 'allows fewer properties than are required');
    return sequence(text('{'), this.#spacing.inside, this.#from(0, 0));
  }

  /** Returns what follows when the members before `index` are decided and `count` of them are present. */
  #from(index: number, count: number): Expression {
    if (count > this.#max) return NOTHING;
    const member = this.#members[index];
    if (member === undefined) return this.#end(count);
    const written = sequence(
      count === 0 ? text('') : this.#spacing.comma,
      member.written,
      this.#rest(index + 1, count + 1),
    );
    return member.required ? written : choice(written, this.#rest(index + 1, count));
  }

  #rest(index: number, count: number): Expression {
    const isCounted = this.#min > 0 || this.#max < Infinity;
    const seen = isCounted ? count : Math.min(count, 1);
    const key = `${index},${seen}`;
    const known = this.#known.get(key);
    if (known !== undefined) return rule(known);
    return rule(
      this.#compiler.addRule((name) => {
        this.#known.set(key, name);
        return this.#from(index, seen);
      }),
    );
  }

  #end(count: number): Expression {
    const missing = Math.max(0, this.#min - count);
    // Two further members may have the same name and would count as one property, so this number cannot be enforced.
    if (missing > 1 && this.#others !== NOTHING)
      throw new SchemaRefusal(
        `${this.#path}/minProperties`,
        'asks for several properties without names; declare them with `properties`',
      );
    const room = this.#max - count;
    const { inside, comma } = this.#spacing;
    const close = count === 0 ? text('}') : sequence(inside, text('}'));
    const stop = missing === 0 ? close : NOTHING;
    if (this.#others === NOTHING || room <= 0) return stop;
    const more = (from: number, to: number) => repeat(sequence(comma, this.#others), from, to);
    if (count > 0) return sequence(more(missing, room), inside, text('}'));
    return choice(sequence(this.#others, more(0, room - 1), inside, text('}')), stop);
  }
}

/** Returns a member whose name no schema declares. */
function otherMembers(
  compiler: SchemaCompiler,
  nodes: readonly PlainNode[],
  patterns: ReadonlyMap<string, Language>,
  declared: readonly string[],
  allowed: Language,
): Expression {
  const isClosed = compiler.describedOnly && !isOpen(nodes);
  if (patterns.size > MAX_PATTERNS) {
    throw new SchemaRefusal(`${nodes[0]!.path}/patternProperties`, `has more than ${MAX_PATTERNS} patterns`);
  }
  const undeclared = not(or(...declared.map(literal)));
  const sources = [...patterns.keys()];
  const options = Array.from({ length: 2 ** sources.length }, (_, bits) => {
    const matched = sources.filter((_source, index) => (bits & (1 << index)) !== 0);
    if (isClosed && matched.length === 0) return NOTHING;
    const schemas = nodes.flatMap((node) => otherSchemas(node, matched));
    if (schemas.some(({ schema }) => schema === false)) return NOTHING;
    const language = and(
      undeclared,
      allowed,
      ...sources.map((source) => (matched.includes(source) ? patterns.get(source)! : not(patterns.get(source)!))),
    );
    const name =
      language === ALL
        ? compiler.value([ANY_NAME])
        : sequence(text('"'), compiler.state(language, JSON_TEXT, `${nodes[0]!.path}/${placeOfNames(nodes)}`));
    return sequence(name, compiler.spacing.colon, compiler.value(schemas));
  });
  const expression = choice(...options);
  return expression.kind === 'choice' && expression.options.length === 0 ? NOTHING : expression;
}

const ANY_NAME: SchemaNode = { schema: { type: 'string' }, path: '' };

function placeOfNames(nodes: readonly PlainNode[]): string {
  const keywords = ['propertyNames', 'patternProperties', 'properties'];
  return (
    keywords.find((keyword) => nodes.some(({ schema }) => schema[keyword] !== undefined)) ?? 'additionalProperties'
  );
}

/** Returns the languages of all patterns for names, by the patterns' sources. */
function patternsOf(nodes: readonly PlainNode[]): ReadonlyMap<string, Language> {
  const sources = nodes.flatMap(({ schema, path }) =>
    Object.keys(objectOf(schema.patternProperties)).map(
      (source) => [source, `${path}/patternProperties/${source}`] as const,
    ),
  );
  return new Map(sources.map(([source, path]) => [source, languageOfPattern(source, path)]));
}

/** Returns the schemas that one schema applies to the value of a declared property. */
function propertySchemas(
  { schema, path }: PlainNode,
  name: string,
  patterns: ReadonlyMap<string, Language>,
): readonly SchemaNode[] {
  const properties = objectOf(schema.properties);
  const matched = [...patterns.keys()].filter((source) => hasText(patterns.get(source)!, name));
  if (!Object.hasOwn(properties, name)) return otherSchemas({ schema, path }, matched);
  const own = { schema: properties[name]!, path: `${path}/properties/${name}` };
  return [own, ...patternSchemas({ schema, path }, matched)];
}

/**
 * Returns the schemas that one schema applies to the value of an undeclared property whose name matches some patterns.
 */
function otherSchemas({ schema, path }: PlainNode, matched: readonly string[]): readonly SchemaNode[] {
  const found = patternSchemas({ schema, path }, matched);
  if (found.length > 0) return found;
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return [];
  return [{ schema: additionalProperties as JsonSchema, path: `${path}/additionalProperties` }];
}

function patternSchemas({ schema, path }: PlainNode, matched: readonly string[]): readonly SchemaNode[] {
  const own = objectOf(schema.patternProperties);
  return matched
    .filter((source) => Object.hasOwn(own, source))
    .map((source) => ({ schema: own[source]!, path: `${path}/patternProperties/${source}` }));
}

function objectOf(value: unknown): Readonly<Record<string, JsonSchema>> {
  return isSchemaObject(value) ? (value as Readonly<Record<string, JsonSchema>>) : {};
}

/**
 * Whether schemas that all apply need no further limit on undeclared properties: they state one (as by
 * `additionalProperties`), or declare no properties.
 */
export function isOpen(nodes: readonly PlainNode[]): boolean {
  const mentions = (keyword: string) => nodes.some(({ schema }) => schema[keyword] !== undefined);
  return mentions('additionalProperties') || !(mentions('properties') || mentions('patternProperties'));
}
