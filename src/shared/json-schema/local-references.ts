import type { JsonSchema } from '../engine/completion-request.ts';
import { isSchemaObject, type SchemaObject } from './schema-object.ts';
import { subschemas } from './subschemas.ts';

/** Base of relative addresses in a schema without `$id`. */
const UNKNOWN_BASE = 'schema://unknown/';

const NAMES = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef'];

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

const KNOWN = new WeakMap<SchemaObject, SchemaObject>();

/**
 * Returns a schema in which references to a `$id` or an anchor inside it are JSON Pointers from its root, and only the
 * root has a `$id`. A dynamic reference that leads to the same schema wherever it is met becomes a `$ref`. References that lead
 * elsewhere are unchanged. The same object is returned for the same schema.
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
  /** The schemas with a `$dynamicAnchor`, by its name; those with `$recursiveAnchor` have an empty one. */
  readonly #dynamic = new Map<string, readonly DynamicAnchor[]>();
  /** Whether a schema inside the root has a name, or refers to another by one. */
  areNamed = false;

  readonly #rootBase: string;

  constructor(root: SchemaObject) {
    this.pointers.set(UNKNOWN_BASE, '');
    this.#visit(root, UNKNOWN_BASE, '');
    this.#rootBase = this.bases.get(root)!;
  }

  #visit(schema: unknown, around: string, pointer: string): void {
    if (!isSchemaObject(schema) || this.bases.has(schema)) return;
    const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
    const address = typeof $id === 'string' ? addressOf($id, around) : null;
    const base = address === null || $id?.toString().startsWith('#') ? around : withoutFragment(address);
    this.bases.set(schema, base);
    if (NAMES.some((name) => typeof schema[name] === 'string' && (pointer !== '' || name.endsWith('Ref'))))
      this.areNamed = true;
    if (address !== null) this.#name($id?.toString().startsWith('#') ? address : base, pointer);
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string') this.#name(`${base}#${anchor}`, pointer);
    }
    const dynamicName = $recursiveAnchor === true ? '' : $dynamicAnchor;
    if (typeof dynamicName === 'string') {
      const known = this.#dynamic.get(dynamicName) ?? [];
      this.#dynamic.set(dynamicName, [...known, { base, pointer }]);
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

  /**
   * Returns the JSON Pointer of the schema that a dynamic reference leads to. That is the outermost schema with the anchor's
   * name on the way to the reference, so one that belongs to the root comes first on every way.
   * @returns null if it leads elsewhere, or to several schemas.
   */
  dynamicPointerOf(reference: string, schema: SchemaObject): string | null {
    const pointer = this.pointerOf(reference, schema);
    const anchors = this.#dynamic.get(reference.split('#')[1] ?? '') ?? [];
    if (!anchors.some((one) => one.pointer === pointer)) return pointer;
    const ofRoot = anchors.find(({ base }) => base === this.#rootBase);
    return ofRoot?.pointer ?? (anchors.length === 1 ? pointer : null);
  }
}

interface DynamicAnchor {
  /** The address of the schema around it that has a `$id`. */
  readonly base: string;
  readonly pointer: string;
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
      if (!REFERENCES.includes(keyword) || typeof inner !== 'string') return [[keyword, rewritten(inner, places)]];
      const isPlain = keyword === '$ref';
      const pointer = isPlain ? places.pointerOf(inner, value) : places.dynamicPointerOf(inner, value);
      if (pointer === null || (!isPlain && '$ref' in value)) return [[keyword, inner]];
      return [['$ref', `#${pointer}`]];
    }),
  );
}
