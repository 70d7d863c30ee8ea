import { invalid, isAbsent, readArray, readObject, readText } from './read-fields.ts';

/** The endpoint's field for each option of Ollama. Source: Ollama's `docs/modelfile.mdx`, 2026-11. */
const NUMBERS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  seed: 'seed',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  repeat_penalty: 'repetition_penalty',
};

/**
 * Converts `options` to fields of the endpoint. Options that choose hardware, memory or another sampler (`num_ctx`,
 * `num_gpu`, `mirostat`, …) have no effect, like unknown fields at the endpoint.
 */
export function samplingOptions(options: unknown): object {
  if (isAbsent(options)) return {};
  const given = readObject(options, 'options');
  const fields = Object.entries(NUMBERS).flatMap(([name, field]) => {
    const number = readNumber(given[name], `options.${name}`);
    return number === null ? [] : [[field, number] as const];
  });
  // In Ollama, −1 and −2 mean no limit.
  const limit = readNumber(given.num_predict, 'options.num_predict');
  const stop = typeof given.stop === 'string' ? [given.stop] : readArray(given.stop, 'options.stop');
  return {
    ...Object.fromEntries(fields),
    ...(limit === null || limit <= 0 ? {} : { max_tokens: limit }),
    ...(stop.length === 0 ? {} : { stop: stop.map((text, index) => readText(text, `options.stop[${index}]`)) }),
  };
}

function readNumber(value: unknown, name: string): number | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'number') throw invalid(name, 'a number', value);
  return value;
}
