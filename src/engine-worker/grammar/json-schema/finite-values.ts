import type { SchemaCompiler } from './schema-compiler.ts';
import { typesOf } from './json-types.ts';
import { matchesSchema } from './matches-schema.ts';
import type { PlainNode, SchemaNode } from './schema-nodes.ts';

/** Limit of the integers that are listed one by one. */
const MAX_INTEGERS = 20;

/**
 * Returns the values that are valid against every given schema, none twice, without arrays and objects; null if there may be
 * many, or if there are arrays and objects.
 */
export function finiteValues(compiler: SchemaCompiler, nodes: readonly SchemaNode[]): readonly unknown[] | null {
  const all = new Set<unknown>();
  for (const alternative of compiler.expand(nodes)) {
    const candidates = candidatesOf(alternative);
    if (candidates === null || candidates.some((value) => typeof value === 'object' && value !== null)) return null;
    for (const value of candidates) {
      if (alternative.every(({ schema }) => matchesSchema(compiler.root, schema, value))) all.add(value);
    }
  }
  return [...all];
}

function candidatesOf(nodes: readonly PlainNode[]): readonly unknown[] | null {
  const fixed = nodes.find(({ schema }) => schema.const !== undefined || schema.enum !== undefined)?.schema;
  if (fixed !== undefined) return fixed.const === undefined ? (fixed.enum as readonly unknown[]) : [fixed.const];
  const candidates: unknown[] = [];
  for (const type of typesOf(nodes, false)) {
    const values =
      type === 'null' ? [null] : type === 'boolean' ? [true, false] : type === 'integer' ? integers(nodes) : null;
    if (values === null) return null;
    candidates.push(...values);
  }
  return candidates;
}

/** Returns the integers between the limits of some schemas; null if there are more than {@link MAX_INTEGERS}. */
function integers(nodes: readonly PlainNode[]): readonly number[] | null {
  const limits = (...keywords: string[]) =>
    nodes.flatMap(({ schema }) =>
      keywords.map((keyword) => schema[keyword]).filter((value) => typeof value === 'number'),
    );
  const least = Math.ceil(Math.max(-Infinity, ...limits('minimum', 'exclusiveMinimum')));
  const most = Math.floor(Math.min(Infinity, ...limits('maximum', 'exclusiveMaximum')));
  if (!(most - least < MAX_INTEGERS)) return null;
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => least + index);
}
