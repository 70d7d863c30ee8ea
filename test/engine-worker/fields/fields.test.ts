import { afterEach, describe, expect, test, vi } from 'vitest';
import { askEngine, type EngineName } from './ask-engine.ts';
import { FIELDS, type FieldName, type Row } from './field-table.ts';

afterEach(() => vi.unstubAllGlobals());

const NAMES = { webllm: 'WebLLM', llamaCpp: 'llama.cpp', browser: "the browser's own model" } as const;

/** Sends requests with and without the field. @returns what was seen, and what the table says. */
type Compare = (name: EngineName, field: FieldName) => Promise<readonly [seen: unknown, expected: unknown]>;

const answerOf: Row['observe'] = ({ texts, reasoning, error }) => ({ texts, reasoning, error });

async function observed(name: EngineName, row: Row, hasField: boolean, observe: Row['observe']): Promise<unknown> {
  const beside = row.engines[name] === 'effect' ? row.beside : {};
  const ask = () => askEngine(name, row.model ?? {}, { ...row.needs, ...beside, ...(hasField && row.field) });
  return observe(await ask(), ask);
}

const effect: Compare = async (name, field) => {
  const row = FIELDS[field];
  const cell = row.engines[name];
  const expected = typeof cell === 'object' && 'sees' in cell ? cell.sees : row;
  const without = await observed(name, row, false, expected.observe);
  return [
    [without, await observed(name, row, true, expected.observe)],
    [expected.without, expected.effect],
  ];
};

const refusal =
  (param: string | null): Compare =>
  async (name, field) => {
    const { model = {}, needs, field: fields } = FIELDS[field];
    const { error, prompt } = await askEngine(name, model, { ...needs, ...fields });
    return [
      [error?.param, prompt],
      [param, ''],
    ];
  };

const noChange: Compare = async (name, field) => [
  await observed(name, FIELDS[field], true, answerOf),
  await observed(name, FIELDS[field], false, answerOf),
];

/** Returns what the table says of a field and an engine, and how to see it. */
function claimOf(name: EngineName, field: FieldName): readonly [claim: string, compare: Compare] {
  const cell = FIELDS[field].engines[name];
  if (cell === 'effect' || 'sees' in cell) return ['has its effect', effect];
  if ('refuses' in cell) return ['is refused', refusal(cell.refuses)];
  return [`changes nothing, because ${cell.ignoresBecause}`, noChange];
}

describe.each(Object.entries(NAMES) as [EngineName, string][])('%s: %s', (name) => {
  const claims = (Object.keys(FIELDS) as FieldName[]).map((field) => [field, ...claimOf(name, field)] as const);
  test.each(claims)('`%s` %s', async (field, _claim, compare) => {
    const [seen, expected] = await compare(name, field);
    expect(seen).toEqual(expected);
  });
});
