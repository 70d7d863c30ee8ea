import { KEYWORDS } from '../../../shared/json-schema/keywords.ts';
import type { PlainNode } from './schema-nodes.ts';

const JSON_TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof JSON_TYPES)[number] | 'integer';

/** Returns the types that all schemas allow. `integer` and `number` together mean `integer`. */
export function typesOf(nodes: readonly PlainNode[], describedOnly: boolean): readonly JsonType[] {
  let types: JsonType[] = [...JSON_TYPES];
  let named = false;
  for (const { schema } of nodes) {
    if (schema.type === undefined) continue;
    named = true;
    const allowed = (Array.isArray(schema.type) ? schema.type : [schema.type]) as JsonType[];
    types = types.flatMap((type): JsonType[] => {
      if (allowed.includes(type)) return [type];
      if (type === 'number' && allowed.includes('integer')) return ['integer'];
      return type === 'integer' && allowed.includes('number') ? [type] : [];
    });
  }
  if (named || !describedOnly) return types;
  const keywords = nodes.flatMap(({ schema }) => Object.keys(schema));
  const described = types.filter((type) => keywords.some((keyword) => KEYWORDS.get(keyword)?.type === type));
  return described.length === 0 ? types : described;
}
