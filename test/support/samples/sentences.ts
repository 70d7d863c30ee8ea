/** Placeholder in a sentence for a value that is known only at run time. */
export const GAP = 'Xyzzy';

/** Arguments for the functions of a table of strings, tried in this order: names, numbers, lists, objects, and kinds. */
const SAMPLES: readonly ((index: number) => unknown)[] = [
  (index) => (index === 0 ? GAP : 404),
  () => GAP,
  () => 7,
  (index) => (index === 1 ? 404 : `https://host.example/${GAP}`),
  (index) => (index === 2 ? 404 : `https://host.example/${GAP}`),
  () => [GAP, GAP],
  () => [{ name: GAP, off: null }],
  () => ({ promptTokens: 7, cachedTokens: 7, off: null, name: GAP, file: GAP, host: GAP }),
  () => null,
  // A kind of file.
  () => 'gzip',
];

/**
 * Returns every text in a table of strings, by its path. Functions are called with {@link GAP}, numbers or lists.
 * @throws Error if a function accepts none of the samples.
 */
export function sentencesOf(table: unknown, place = ''): Readonly<Record<string, string>> {
  if (typeof table === 'string') return { [place]: table };
  if (typeof table === 'function') return sentencesOf(speak(table as (...values: unknown[]) => unknown, place), place);
  if (typeof table !== 'object' || table === null) throw new Error(`${place} is no text: ${String(table)}`);
  const inside = Object.entries(table).map(([key, value]) =>
    sentencesOf(value, place === '' ? key : `${place}.${key}`),
  );
  return Object.assign({}, ...inside) as Readonly<Record<string, string>>;
}

function speak(words: (...values: unknown[]) => unknown, place: string): unknown {
  for (const sample of SAMPLES) {
    try {
      const said = words(...Array.from({ length: 6 }, (_, index) => sample(index)));
      if (said !== undefined && !/undefined|NaN|\[object/.test(JSON.stringify(said))) return said;
    } catch {
      // The function needs another kind of argument.
    }
  }
  throw new Error(`No sample makes ${place} speak.`);
}
