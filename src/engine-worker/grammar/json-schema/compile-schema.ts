import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { localReferences } from '../../../shared/json-schema/local-references.ts';
import { isSchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { arrayExpression } from './array-grammar.ts';
import { countedCharacters, type ShareRule } from '../expressions/counted-characters.ts';
import {
  choice,
  isNothing,
  NOTHING,
  rule,
  sequence,
  text,
  type Expression,
  type Grammar,
} from '../expressions/grammar.ts';
import { namesType } from './described-schema.ts';
import { FREE_TEXT, JSON_TEXT, languageExpression, type Spelling } from '../expressions/language-grammar.ts';
import { limitedLanguages } from '../regular-language/counted-automaton.ts';
import { literal, or, type Language } from '../regular-language/regular-language.ts';
import { withinBudget } from '../regular-language/step-budget.ts';
import { countSteps } from '../regular-language/step-limit.ts';
import { typesOf, type JsonType } from './json-types.ts';
import { matchesSchema } from './matches-schema.ts';
import { isOpen, objectExpression } from './object-grammar.ts';
import {
  CHARACTER,
  COUNTED_CHARACTER,
  FIXED_SPACING,
  GAP,
  OPTIONAL_SPACING,
  STRING_REST,
  type Spacing,
} from './json-parts.ts';
import { productiveGrammar } from '../expressions/productive-grammar.ts';
import { SchemaIds } from './schema-ids.ts';
import type { LanguageValues, SchemaCompiler, Values } from './schema-compiler.ts';
import { expand } from './schema-tree.ts';
import { SchemaRefusal, type Alternatives, type PlainNode, type SchemaNode } from './schema-nodes.ts';
import { numbersOf, textsOf } from './scalar-grammar.ts';

export interface CompileOptions {
  /**
   * Whether to allow only values that the schema describes: no properties beyond `properties`, no items beyond
   * `prefixItems`, and, without `type`, only the types that other keywords imply. JSON Schema allows all of these, and
   * a model would write them without end. Default: whether the schema names a type for its root, as schemas that describe
   * an answer do.
   */
  readonly describedOnly?: boolean;
  /** Which white space the texts may have. Default: any that {@link OPTIONAL_SPACING} allows. */
  readonly spacing?: Spacing;
}

/** How arguments of tool calls, and parts of them, are compiled: a value has one spelling. */
export const CALL_JSON: CompileOptions = { spacing: FIXED_SPACING, describedOnly: true };

function other(expression: Expression): Values {
  return { kind: 'other', expression };
}

/** Limit of the rules in a grammar. */
const MAX_RULES = 10_000;

/** Limit of the steps for a schema, without those for its patterns: half a second. */
const MAX_STEPS = 200_000_000;

/** The steps that a schema may take even if a request's budget is used up: some hundred rules. */
const LEAST_STEPS = 10_000_000;

/** A rule takes as long to make, and later to compile in the engine, as this many other steps. */
const STEPS_OF_RULE = 20_000;

/**
 * Any text of limited length. Up to 64 characters are counted one by one: xgrammar tests the whole vocabulary for each when
 * it compiles the grammar, 0.1 s with 80,000 tokens, but hardly anything for each token that is sampled. Rules are
 * shared, so each schema pays once.
 */
const COUNTED_TEXT = { character: COUNTED_CHARACTER, end: text('"'), rest: rule(STRING_REST[0]), mostSingle: 64 };

/** Compiles the parts of one schema and collects the rules of its grammar. */
class Compiler implements SchemaCompiler {
  readonly rules = new Map<string, Expression>([GAP, CHARACTER, STRING_REST]);
  readonly describedOnly: boolean;
  readonly spacing: Spacing;
  readonly root: JsonSchema;
  /**
   * The places that allow no value, with the reason. If the whole schema allows no value, the error names the first.
   */
  readonly conflicts: { readonly path: string; readonly text: string }[] = [];
  /** The parts that are not supported. */
  readonly refusals: SchemaRefusal[] = [];
  readonly #names = new Map<string, string>();
  /** Names of the rules that count characters, by the keys of {@link ShareRule}. */
  readonly #shared = new Map<string, string>();
  readonly #ids: SchemaIds;
  /**
   * Whether two lists of schemas exclude each other, by the ids of the schemas. The value is true while it is being
   * computed, so that recursive schemas do not recurse without end.
   */
  readonly #exclusions: Map<string, boolean>;

  constructor(
    root: JsonSchema,
    { describedOnly = namesType(root), spacing = OPTIONAL_SPACING }: CompileOptions = {},
    parent?: Compiler,
  ) {
    this.root = root;
    this.spacing = spacing;
    this.describedOnly = describedOnly;
    this.#ids = parent === undefined ? new SchemaIds() : parent.#ids;
    this.#exclusions = parent === undefined ? new Map<string, boolean>() : parent.#exclusions;
  }

  reserve(): string {
    const name = `r${this.rules.size}`;
    if (this.rules.size === MAX_RULES)
      throw new SchemaRefusal('', 'needs a grammar of too many rules; ask for less at a time');
    countSteps(STEPS_OF_RULE);
    this.rules.set(name, NOTHING);
    return name;
  }

  define(name: string, expression: Expression): void {
    this.rules.set(name, expression);
  }

  addRule(make: (name: string) => Expression): string {
    const name = this.reserve();
    this.define(name, make(name));
    return name;
  }

  value(nodes: readonly SchemaNode[]): Expression {
    const ids = nodes.flatMap(({ schema }) => (schema === true ? [] : [this.#ids.of(schema)]));
    const key = [...new Set(ids)].toSorted((one, other) => one - other).join();
    const known = this.#names.get(key);
    if (known !== undefined) return rule(known);
    return rule(
      this.addRule((name) => {
        this.#names.set(key, name);
        try {
          return this.#values(this.expand(nodes).flatMap((alternative) => this.#alternative(alternative)));
        } catch (thrown) {
          if (!(thrown instanceof SchemaRefusal)) throw thrown;
          this.refusals.push(thrown);
          // The same schema elsewhere is refused there too, with its own path.
          this.#names.delete(key);
          return NOTHING;
        }
      }),
    );
  }

  expand(nodes: readonly SchemaNode[]): Alternatives {
    return expand(this.root, nodes, { excludes: (first, second) => this.#excludes(first, second) });
  }

  /**
   * Combines the alternatives. The strings of all alternatives become one language, and so do the numbers, so that no
   * two options begin with the same text.
   */
  #values(values: readonly Values[]): Expression {
    const texts = values.filter((one) => one.kind === 'text');
    const numerals = values.filter((one) => one.kind === 'numeral');
    const [first] = texts;
    const isFree = texts.length === 1 && first!.free !== null;
    return choice(
      ...values.flatMap((one) => (one.kind === 'other' ? [one.expression] : [])),
      ...(isFree ? [this.#freeText(...first!.free!)] : []),
      ...(isFree || texts.length === 0 ? [] : [sequence(text('"'), this.#stated(texts, JSON_TEXT))]),
      ...(numerals.length === 0 ? [] : [this.#stated(numerals, FREE_TEXT)]),
    );
  }

  /** Returns the expression for any string with `min` to `max` characters. */
  #freeText(min: number, max: number): Expression {
    const share: ShareRule = (key, make) => {
      const name = this.#shared.get(key) ?? this.addRule(make);
      this.#shared.set(key, name);
      return rule(name);
    };
    return sequence(text('"'), countedCharacters(COUNTED_TEXT, min, max, share));
  }

  #stated(values: readonly LanguageValues[], spelling: Spelling): Expression {
    const language = or(...values.map((one) => one.language));
    const { path } = values.at(-1)!;
    const stated = this.state(language, spelling, path);
    return isNothing(stated) ? this.conflict(path, `allows nothing${besideLengths(language)}`) : stated;
  }

  state(language: Language, spelling: Spelling, path: string): Expression {
    const expression = languageExpression(language, spelling, this);
    if (expression !== null) return expression;
    throw new SchemaRefusal(path, `is too complex${besideLengths(language)}`);
  }

  conflict(path: string, reason: string): Expression {
    this.conflicts.push({ path, text: reason });
    return NOTHING;
  }

  /** Returns the values of one alternative: an entry for each JSON type, or entries for the fixed values. */
  #alternative(nodes: readonly PlainNode[]): readonly Values[] {
    const types = typesOf(nodes, this.describedOnly);
    const fixed = nodes.find(({ schema }) => schema.const !== undefined || schema.enum !== undefined);
    if (fixed !== undefined) return this.#fixedValues(fixed, nodes);
    if (types.length > 0) return types.map((type) => this.#typed(type, nodes));
    return [other(this.conflict(`${nodes.at(-1)?.path ?? ''}/type`, 'contradicts the keywords beside it'))];
  }

  #typed(type: JsonType, nodes: readonly PlainNode[]): Values {
    switch (type) {
      case 'null':
        return other(text('null'));
      case 'boolean':
        return other(choice(text('true'), text('false')));
      case 'integer':
      case 'number':
        return numbersOf(this, nodes, type === 'integer');
      case 'string':
        return textsOf(this, nodes);
      case 'array':
        return other(arrayExpression(this, nodes));
      case 'object':
        return other(objectExpression(this, nodes));
    }
  }

  #fixedValues({ schema, path }: PlainNode, nodes: readonly PlainNode[]): readonly Values[] {
    const values: readonly unknown[] = schema.const === undefined ? (schema.enum as unknown[]) : [schema.const];
    const fitting = values.filter((value) => nodes.every((node) => matchesSchema(this.root, node.schema, value)));
    const place = `${path}/${schema.const === undefined ? 'enum' : 'const'}`;
    if (fitting.length === 0) return [other(this.conflict(place, 'contradicts the keywords beside it'))];
    const strings = fitting.filter((value) => typeof value === 'string');
    const numbers = fitting.filter((value) => typeof value === 'number');
    const others = fitting.filter((value) => typeof value !== 'string' && typeof value !== 'number');
    return [
      ...(strings.length === 0
        ? []
        : [{ kind: 'text', language: or(...strings.map(literal)), path: place, free: null } as const]),
      ...(numbers.length === 0
        ? []
        : [
            {
              kind: 'numeral',
              language: or(...numbers.map((one) => literal(JSON.stringify(one)))),
              path: place,
            } as const,
          ]),
      ...[...new Set(others.map((value) => JSON.stringify(value)))].map((value) => other(text(value))),
    ];
  }

  #excludes(first: readonly PlainNode[], second: readonly SchemaNode[]): boolean {
    const key = [first, second].map((nodes) => nodes.map(({ schema }) => this.#ids.of(schema)).join()).join('|');
    const known = this.#exclusions.get(key);
    if (known !== undefined) return known;
    this.#exclusions.set(key, true);
    const found = this.#haveNothingInCommon([...first, ...(this.describedOnly ? closure(first) : []), ...second]);
    this.#exclusions.set(key, found);
    return found;
  }

  #haveNothingInCommon(nodes: readonly SchemaNode[]): boolean {
    const trial = new Compiler(this.root, { describedOnly: this.describedOnly }, this);
    const { name } = trial.value(nodes) as { name: string };
    return trial.refusals.length === 0 && productiveGrammar({ root: name, rules: trial.rules }) === null;
  }
}

/** Names the lengths that a language has, or says that other keywords may be the cause. */
function besideLengths(language: Language): string {
  const limits = limitedLanguages(language).flatMap(({ min, max }) => [
    ...(min > 0 ? [`minLength ${min}`] : []),
    ...(max < Infinity ? [`maxLength ${max}`] : []),
  ]);
  return ` together with ${limits.length === 0 ? 'the keywords beside it' : limits.join(' and ')}`;
}

/**
 * Compiles a JSON Schema to a grammar of the JSON texts of its values. Properties come in the order of the schema.
 * @throws SchemaRefusal for a keyword that is not supported, and if no value is possible.
 */
export function compileSchema(schema: JsonSchema, options: CompileOptions = {}): Grammar {
  const made = compileOrRefuse(schema, options);
  if ('rules' in made) return made;
  throw made[0]!;
}

/** Like {@link compileSchema}, but returns the errors of all parts that are not supported. */
export function compileOrRefuse(given: JsonSchema, options: CompileOptions): Grammar | readonly SchemaRefusal[] {
  const schema = localReferences(given);
  const compiler = new Compiler(schema, options);
  const made = withinBudget(
    MAX_STEPS,
    () => {
      const { name } = compiler.value([{ schema, path: '' }]) as { name: string };
      return compiler.refusals.length > 0 ? null : productiveGrammar({ root: name, rules: compiler.rules });
    },
    LEAST_STEPS,
  );
  if (made === null) return [new SchemaRefusal('', 'is too complex; ask for less at a time')];
  if (made.value !== null) return made.value;
  if (compiler.refusals.length > 0) return compiler.refusals;
  const [conflict] = compiler.conflicts;
  if (conflict !== undefined) return [new SchemaRefusal(conflict.path, conflict.text)];
  const text = 'allows no value that ends: its keywords exclude each other, or its required parts contain each other';
  return [new SchemaRefusal('', text)];
}

function allow(names: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(names.map((name) => [name, true]));
}

/**
 * Returns a schema that forbids the properties that none of the given schemas declares, for {@link
 * CompileOptions.describedOnly}.
 */
function closure(nodes: readonly PlainNode[]): readonly PlainNode[] {
  if (isOpen(nodes)) return [];
  const names = nodes.flatMap(({ schema }) => [
    ...Object.keys(isSchemaObject(schema.properties) ? schema.properties : {}),
    ...(Array.isArray(schema.required) ? (schema.required as string[]) : []),
  ]);
  const patterns = nodes.flatMap(({ schema }) =>
    Object.keys(isSchemaObject(schema.patternProperties) ? schema.patternProperties : {}),
  );
  return [
    { schema: { properties: allow(names), patternProperties: allow(patterns), additionalProperties: false }, path: '' },
  ];
}
