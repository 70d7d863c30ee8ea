import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../src/shared/engine/completion-request.ts';

export interface SuiteSchema {
  readonly name: string;
  /** Name of its file. */
  readonly file: string;
  readonly schema: JsonSchema;
  /** Values; none where formats are mere annotations, because here they restrict. */
  readonly tests: readonly SuiteTest[];
}

interface SuiteTest {
  readonly data: unknown;
  readonly valid: boolean;
}

interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly SuiteTest[];
}

const DRAFTS = ['draft2020-12', 'draft2019-09', 'draft7', 'draft6', 'draft4'];

/**
 * Reads the JSON Schema Test Suite, drafts 4 to 2020-12, without its optional tests.
 * @param folder Its folder `tests`; `json/tests` in the source distribution of the Python package `jsonschema`.
 */
export function readSuite(folder: string): readonly SuiteSchema[] {
  return DRAFTS.flatMap((draft) =>
    readdirSync(join(folder, draft))
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) =>
        (JSON.parse(readFileSync(join(folder, draft, file), 'utf8')) as SuiteGroup[]).map((group) => {
          const tests = file === 'format.json' ? [] : group.tests;
          return {
            name: `${draft}/${file}: ${group.description}`,
            file,
            schema: withDraft(group.schema, draft),
            tests,
          };
        }),
      ),
  );
}

function withDraft(schema: JsonSchema, draft: string): JsonSchema {
  if (typeof schema !== 'object' || '$schema' in schema) return schema;
  const version = /^draft(\d)$/.exec(draft)?.[1];
  return version === undefined ? schema : { $schema: `http://json-schema.org/draft-0${version}/schema#`, ...schema };
}

/**
 * Returns the JSON texts of a value with its properties in every order, because a grammar fixes one order; a few
 * hundred at most.
 */
export function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return combined(value.map(textsOf)).map((items) => `[${items.join(',')}]`);
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  const members = Object.entries(value).map(([name, inner]) =>
    textsOf(inner).map((text) => `${JSON.stringify(name)}:${text}`),
  );
  return orders(members).flatMap((order) => combined(order).map((parts) => `{${parts.join(',')}}`));
}

function combined(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (before, list) => before.flatMap((start) => list.map((one) => [...start, one])).slice(0, 200),
    [[]],
  );
}

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2 || items.length > 5) return [items];
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
