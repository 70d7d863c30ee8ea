import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { choice, NOTHING, rule, sequence, text, type Expression } from '../expressions/grammar.ts';
import { finiteValues } from './finite-values.ts';
import { matchesSchema } from './matches-schema.ts';
import { negated } from './negated-schema.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { HIDDEN, SchemaRefusal, type PlainNode, type SchemaNode } from './schema-nodes.ts';

interface Items {
  readonly min: number;
  readonly max: number;
  /** The number of items at the start that have schemas of their own. */
  readonly listed: number;
  readonly schemasOf: (index: number) => readonly SchemaNode[];
}

/** One of the kinds of items that may stand at a place. */
interface Kind {
  readonly item: Expression;
  /** Whether such items count for `contains`. */
  readonly isContained: boolean;
  /** The number of the item's value among those that must not be repeated; null if it may. */
  readonly value: number | null;
}

/** Limit of the rules for the items of one array. */
const MAX_STATES = 1000;

/**
 * Returns the expression for the arrays of which some items are counted (`contains`), or none may be repeated (`uniqueItems`);
 * null if no schema asks for either.
 * @throws SchemaRefusal if it would need too many rules.
 */
export function countedItems(compiler: SchemaCompiler, nodes: readonly PlainNode[], items: Items): Expression | null {
  const { min, max, listed } = items;
  const containing = nodes.filter(
    ({ schema: { contains, minContains, maxContains } }) =>
      contains !== undefined && (minContains !== 0 || maxContains !== undefined),
  );
  const unique = max > 1 ? nodes.find(({ schema }) => schema['uniqueItems'] === true) : undefined;
  const [container, another] = containing;
  if (container === undefined && unique === undefined) return null;
  if (another !== undefined) throw new SchemaRefusal(`${another.path}/contains`, 'is not supported beside another one');
  const { minContains = 1, maxContains = Infinity } = (container?.schema ?? { minContains: 0 }) as Record<
    string,
    number
  >;
  const place = unique === undefined ? `${container!.path}/contains` : `${unique.path}/uniqueItems`;
  const kindsOf =
    unique === undefined ? openKinds(compiler, items, container!) : fixedKinds(compiler, items, place, container);
  const kinds = new Map<number, readonly Kind[]>();
  const kindsAt = (index: number) => {
    const found = kinds.get(index) ?? kindsOf(index);
    kinds.set(index, found);
    return found;
  };
  const { inside, comma } = compiler.spacing;
  const known = new Map<string, string>();
  const open: [rule: string, ...Parameters<typeof after>][] = [];

  /** Returns what may follow the first `count` items, of which some are contained and some must not be repeated. */
  function after(count: number, contained: number, used: readonly number[]): Expression {
    const mayStop = count >= min && contained >= minContains;
    const stop = mayStop ? sequence(count === 0 ? text('') : inside, text(']')) : NOTHING;
    if (count >= max) return stop;
    const onward = kindsAt(Math.min(count, listed)).flatMap(({ item, isContained, value }) => {
      const further = contained + (isContained ? 1 : 0);
      if (further > maxContains || (value !== null && used.includes(value))) return [];
      const next = value === null ? used : [...used, value].toSorted((one, other) => one - other);
      return [sequence(count === 0 ? text('') : comma, item, rest(count + 1, further, next))];
    });
    return choice(...onward, stop);
  }

  function rest(count: number, contained: number, used: readonly number[]): Expression {
    const isSettled = max === Infinity && count >= Math.max(min, listed, 1);
    const index = isSettled ? Math.max(min, listed, 1) : count;
    const counted = maxContains === Infinity ? Math.min(contained, minContains) : contained;
    const key = `${index} ${counted} ${used.join()}`;
    const name = known.get(key);
    if (name !== undefined) return rule(name);
    if (known.size === MAX_STATES) throw new SchemaRefusal(place, 'counts too many items');
    const made = compiler.reserve();
    known.set(key, made);
    open.push([made, index, counted, used]);
    return rule(made);
  }

  const first = after(0, 0, []);
  // A list instead of recursion: there may be as many states in a row as an array has items.
  for (const [made, ...state] of open) compiler.define(made, after(...state));
  return sequence(text('['), inside, first);
}

/** Items that are contained, and the others. */
function openKinds(compiler: SchemaCompiler, { schemasOf }: Items, { schema, path }: PlainNode) {
  const place = `${path}/contains`;
  const contains = { schema: schema['contains'] as JsonSchema, path: place };
  const other = { schema: negated(contains.schema), path: place + HIDDEN };
  return (index: number): readonly Kind[] => [
    { item: compiler.value([...schemasOf(index), contains]), isContained: true, value: null },
    { item: compiler.value([...schemasOf(index), other]), isContained: false, value: null },
  ];
}

/** Items of which there are only a few values. */
function fixedKinds(compiler: SchemaCompiler, { schemasOf }: Items, place: string, container: PlainNode | undefined) {
  const numbers = new Map<string, number>();
  return (index: number): readonly Kind[] => {
    const values = finiteValues(compiler, schemasOf(index));
    if (values === null) throw new SchemaRefusal(place, 'is only supported for items of a few fixed values');
    return values.map((value) => {
      const written = JSON.stringify(value);
      const number = numbers.get(written) ?? numbers.size;
      numbers.set(written, number);
      const contains = container?.schema['contains'] as JsonSchema | undefined;
      const isContained = contains !== undefined && matchesSchema(compiler.root, contains, value);
      return { item: text(written), isContained, value: number };
    });
  };
}
