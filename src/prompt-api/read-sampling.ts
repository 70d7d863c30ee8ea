import type { AvailabilityOptions, PromptOptions, SamplingMode } from './language-model-options.ts';

/** Temperature of each sampling mode; null is the model's own temperature. */
const TEMPERATURES: Readonly<Record<SamplingMode, number | null>> = {
  'most-predictable': 0,
  predictable: 0.4,
  'slightly-predictable': 0.6,
  balanced: null,
  'slightly-creative': 0.9,
  creative: 1,
  'most-creative': 1.3,
};

/** Converts the options of a session to fields of a chat completion. @throws TypeError for an unknown sampling mode. */
export function readSampling({ samplingMode, temperature, topK }: AvailabilityOptions): object {
  if (samplingMode !== undefined && !Object.hasOwn(TEMPERATURES, samplingMode)) {
    throw new TypeError(`"${samplingMode}" is none of ${Object.keys(TEMPERATURES).join(', ')}.`);
  }
  return { temperature: temperature ?? TEMPERATURES[samplingMode ?? 'balanced'], top_k: topK ?? null };
}

/**
 * Converts the constraint of a prompt to fields of a chat completion.
 * @throws TypeError if `omitResponseConstraintInput` is true without a constraint; DOMException `NotSupportedError` for
 * a regular expression with flags, and for an object that JSON cannot express.
 */
export function readConstraint({ responseConstraint, omitResponseConstraintInput = false }: PromptOptions): object {
  if (responseConstraint === undefined || responseConstraint === null) {
    if (omitResponseConstraintInput) throw new TypeError('There is no responseConstraint to leave out of the prompt.');
    return {};
  }
  if (!(responseConstraint instanceof RegExp)) {
    requireJson(responseConstraint);
    const json_schema = { name: 'response', schema: responseConstraint, strict: true };
    return { response_format: { type: 'json_schema', json_schema } };
  }
  const { source, flags } = responseConstraint;
  if (flags === '' || flags === 'u') return { guided_regex: source };
  throw new DOMException(
    'A regular expression with flags is not supported as responseConstraint.',
    'NotSupportedError',
  );
}

function requireJson(schema: object): void {
  try {
    JSON.stringify(schema);
  } catch {
    throw new DOMException('The responseConstraint refers to itself, so it is not a JSON Schema.', 'NotSupportedError');
  }
}
