import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { SchemaRefusal, type PlainNode } from './schema-nodes.ts';

/**
 * Replaces `unevaluatedProperties` and `unevaluatedItems` of schemas that all apply. Each applies to the properties or items that
 * no schema inside it describes, so keywords such as `additionalProperties`, beside the names of these properties, say the same.
 */
export function withoutUnevaluated(nodes: readonly PlainNode[]): readonly PlainNode[] {
  if (!nodes.some(({ schema }) => 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema)) return nodes;
  return nodes.flatMap((node) => {
    const { unevaluatedProperties, unevaluatedItems, ...schema } = node.schema;
    const inside = nodes.filter((one) => one === node || (node.origin !== undefined && one.within?.has(node.origin)));
    const others = inside.map((one) => (one === node ? schema : one.schema));
    return [
      { ...node, schema },
      ...(unevaluatedProperties === undefined ? [] : undescribedProperties(others, unevaluatedProperties)),
      ...(unevaluatedItems === undefined ? [] : undescribedItems(others, unevaluatedItems, node.path)),
    ].map((one) => ({ path: node.path, ...one }));
  });
}

function undescribedProperties(schemas: readonly SchemaObject[], rest: unknown): { schema: SchemaObject }[] {
  if (schemas.some((schema) => 'additionalProperties' in schema || 'unevaluatedProperties' in schema)) return [];
  const names = (keyword: string) =>
    Object.fromEntries(schemas.flatMap((schema) => Object.keys(objectOf(schema[keyword])).map((name) => [name, true])));
  return [
    {
      schema: {
        properties: names('properties'),
        patternProperties: names('patternProperties'),
        additionalProperties: rest,
      },
    },
  ];
}

function undescribedItems(schemas: readonly SchemaObject[], rest: unknown, path: string): { schema: SchemaObject }[] {
  const tuples = schemas.map(({ prefixItems, items }) => (Array.isArray(items) ? items : prefixItems));
  const rests = schemas.map(({ items, additionalItems, unevaluatedItems }) => [
    Array.isArray(items) ? additionalItems : items,
    unevaluatedItems,
  ]);
  if (rests.flat().some((one) => one !== undefined)) return [];
  if (schemas.some((schema) => 'contains' in schema))
    throw new SchemaRefusal(`${path}/unevaluatedItems`, 'is not supported around `contains`');
  const length = Math.max(0, ...tuples.map((tuple) => (Array.isArray(tuple) ? tuple.length : 0)));
  return [{ schema: { prefixItems: Array.from({ length }, () => true), items: rest as JsonSchema } }];
}

function objectOf(value: unknown): SchemaObject {
  return isSchemaObject(value) ? value : {};
}
