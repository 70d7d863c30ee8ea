import * as fc from 'fast-check';

/** Number of malformed requests for each route. An environment variable can raise it. */
const RUNS = Number(process.env['MALFORMED_REQUESTS'] ?? 500);

/** Values of every JSON type, including hostile ones. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 1, 1.5, 1e308, '', [], {}, [[]], [[1], 'a'], [null], true, '__proto__', [2 ** 31], [1e99]),
);

/**
 * Sends requests with random values in the fields of these names.
 * @returns the fields of the first request that got a 5xx or an incomplete body; null if there was none.
 */
export async function findServerError(
  names: readonly string[],
  send: (fields: Record<string, unknown>) => Promise<Response>,
): Promise<unknown> {
  const fields = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 5 });
  const property = fc.asyncProperty(fields, async (fields) => {
    const response = await send(fields);
    await response.text();
    return response.status < 500;
  });
  return (await fc.check(property, { seed: 20_261_122, numRuns: RUNS })).counterexample;
}
