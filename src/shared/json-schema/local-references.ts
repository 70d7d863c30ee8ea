import type { JsonSchema } from '../engine/completion-request.ts';
import { isSchemaObject, type SchemaObject } from './schema-object.ts';
import { subschemas } from './subschemas.ts';

/** Base of relative addresses in a schema without `$id`. */
const UNKNOWN_BASE = 'schema://unknown/';

const NAMES = ['$id', '$anchor', '$dynamicAnchor'];

const KNOWN = new WeakMap<SchemaObject, SchemaObject>();

/**
 * Returns a schema in which references to a `$id` or an anchor inside it are JSON Pointers from its root, and only the
 * root has a `$id`. References that lead elsewhere are unchanged. The same object is returned for the same schema.
 */
export function localReferences(schema: JsonSchema): JsonSchema {
  if (!isSchemaObject(schema)) return schema;
  const known = KNOWN.get(schema);
  if (known !== undefined) return known;
  const places = new Places(schema);
  const made = places.areNamed ? (rewritten(schema, places, true) as SchemaObject) : schema;
  KNOWN.set(schema, made);
  KNOWN.set(made, made);
  return made;
}

/** The addresses of the schemas inside a schema. */
class Places {
  /** JSON Pointers of the schemas that have a `$id` or an anchor, by their addresses. */
  readonly pointers = new Map<string, string>();
  /** The addresses to which references in each schema are relative. */
  readonly bases = new Map<unknown, string>();
  /** Whether a schema inside the root has a name. */
  areNamed = false;

  constructor(root: SchemaObject) {
    this.pointers.set(UNKNOWN_BASE, '');
    this.#visit(root, UNKNOWN_BASE, '');
  }

  #visit(schema: unknown, around: string, pointer: string): void {
    if (!isSchemaObject(schema) || this.bases.has(schema)) return;
    const { $id, $anchor, $dynamicAnchor } = schema;
    const address = typeof $id === 'string' ? addressOf($id, around) : null;
    const base = address === null || $id?.toString().startsWith('#') ? around : withoutFragment(address);
    this.bases.set(schema, base);
    if (pointer !== '' && NAMES.some((name) => typeof schema[name] === 'string')) this.areNamed = true;
    if (address !== null) this.#name($id?.toString().startsWith('#') ? address : base, pointer);
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string') this.#name(`${base}#${anchor}`, pointer);
    }
    for (const { schema: inner, place, name, keyword } of subschemas(schema)) {
      const step = place === `/${keyword}` ? place : `/${keyword}/${escaped(name)}`;
      this.#visit(inner, base, pointer + step);
    }
  }

  #name(address: string, pointer: string): void {
    if (!this.pointers.has(address)) this.pointers.set(address, pointer);
  }

  /** Returns the JSON Pointer of the schema that a reference leads to; null if it leads elsewhere. */
  pointerOf(reference: string, schema: SchemaObject): string | null {
    const address = addressOf(reference, this.bases.get(schema) ?? UNKNOWN_BASE);
    if (address === null) return null;
    const named = this.pointers.get(address);
    if (named !== undefined) return named;
    const document = this.pointers.get(withoutFragment(address));
    const fragment = address.slice(withoutFragment(address).length + 1);
    if (document === undefined) return null;
    if (fragment === '') return document;
    return fragment.startsWith('/') ? document + fragment : null;
  }
}

function addressOf(reference: string, base: string): string | null {
  try {
    return new URL(reference, base).href;
  } catch {
    return null;
  }
}

function withoutFragment(address: string): string {
  return address.split('#', 1)[0]!;
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function rewritten(value: unknown, places: Places, isRoot = false): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, places));
  if (!isSchemaObject(value)) return value;
  const isSchema = places.bases.has(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([keyword, inner]) => {
      if (!isSchema) return [[keyword, rewritten(inner, places)]];
      if (keyword === '$id' && !isRoot) return [];
      if (keyword !== '$ref' || typeof inner !== 'string') return [[keyword, rewritten(inner, places)]];
      const pointer = places.pointerOf(inner, value);
      return [[keyword, pointer === null ? inner : `#${pointer}`]];
    }),
  );
}
