import * as fc from 'fast-check';

/** How many malformed requests are sent to a route; more by hand. */
const RUNS = Number(process.env['MALFORMED_REQUESTS'] ?? 500);

/** Values of every JSON kind, small and hostile ones among them. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 1, 1.5, 1e308, '', [], {}, [[]], [[1], 'a'], [null], true, '__proto__', [2 ** 31], [1e99]),
);

/**
 * Sends requests whose fields of these names hold anything.
 * @returns the fields of the first request that was answered with a 5xx, or without a whole body; null when none was.
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
