import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { countedItems } from './counted-items.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { choice, NOTHING, repeat, rule, sequence, text, type Expression } from '../expressions/grammar.ts';
import type { PlainNode, SchemaNode } from './schema-nodes.ts';

/** Returns the expression for the arrays that are valid against every given schema. */
export function arrayExpression(compiler: SchemaCompiler, nodes: readonly PlainNode[]): Expression {
  const tuples = nodes.map(({ schema }) => tupleOf(schema));
  const listed = Math.max(0, ...tuples.map(({ length }) => length));
  const limits = (keyword: string) =>
    nodes.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []));
  const least = limits('minItems');
  const max = Math.min(Infinity, ...limits('maxItems'));
  const whole = compiler.describedOnly && least.length === 0;
  const min = Math.max(0, ...least, whole ? Math.min(listed, max) : 0);
  if (min > max) return compiler.conflict(`${nodes[0]?.path ?? ''}/minItems`, 'is above `maxItems`');

  const { inside, comma } = compiler.spacing;
  const schemasOf = (index: number) => nodes.flatMap((node) => itemSchemas(node, index));
  const counted = countedItems(compiler, nodes, { min, max, listed, schemasOf });
  if (counted !== null) return counted;

  const item = (index: number): Expression => compiler.value(schemasOf(index));
  const isDescribed = listed > 0 && nodes.every(({ schema }) => restOf(schema) === undefined);
  const rest = compiler.describedOnly && isDescribed ? NOTHING : item(listed);
  if (min > listed && (rest === NOTHING || schemasOf(listed).some(({ schema }) => schema === false)))
    return compiler.conflict(`${nodes[0]!.path}/minItems`, 'asks for more items than the schema describes');

  /**
   * Returns what may follow the first `count` items. The white space after the opening bracket is written by the
   * caller.
   */
  const after = (count: number): Expression => {
    const end = count === 0 ? text(']') : sequence(inside, text(']'));
    const stop = count >= min ? end : NOTHING;
    if (count >= max) return stop;
    if (count < listed) {
      const separator = count === 0 ? text('') : comma;
      return choice(sequence(separator, item(count), rule(compiler.addRule(() => after(count + 1)))), stop);
    }
    if (count > 0) return sequence(repeat(sequence(comma, rest), Math.max(0, min - count), max - count), end);
    const more = repeat(sequence(comma, rest), Math.max(0, min - 1), max - 1);
    return choice(sequence(rest, more, inside, text(']')), stop);
  };
  return sequence(text('['), inside, after(0));
}

/** Returns the schemas that each apply to one item at the start of the array (`prefixItems`, or `items` in draft 7). */
function tupleOf({ prefixItems, items }: PlainNode['schema']): readonly JsonSchema[] {
  if (Array.isArray(prefixItems)) return prefixItems as JsonSchema[];
  return Array.isArray(items) ? (items as JsonSchema[]) : [];
}

/** Returns the keyword and the schema that apply to the items after those of {@link tupleOf}. */
function restOf(schema: PlainNode['schema']): readonly [string, JsonSchema] | undefined {
  const keyword = Array.isArray(schema.items) ? 'additionalItems' : 'items';
  const rest = schema[keyword] as JsonSchema | undefined;
  return rest === undefined ? undefined : [keyword, rest];
}

function itemSchemas({ schema, path }: PlainNode, index: number): readonly SchemaNode[] {
  const tuple = tupleOf(schema);
  if (index < tuple.length) {
    const keyword = Array.isArray(schema.prefixItems) ? 'prefixItems' : 'items';
    return [{ schema: tuple[index]!, path: `${path}/${keyword}/${index}` }];
  }
  const rest = restOf(schema);
  return rest === undefined ? [] : [{ schema: rest[1], path: `${path}/${rest[0]}` }];
}
