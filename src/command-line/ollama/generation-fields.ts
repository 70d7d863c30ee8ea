import { invalid, isAbsent, readBoolean, type JsonObject } from './read-fields.ts';
import { samplingOptions } from './sampling-options.ts';

const EFFORTS = ['low', 'medium', 'high', 'max'];

/** Converts the fields that `/api/chat` and `/api/generate` have in common to fields of the endpoint. */
export function generationFields({ options, format, think, logprobs, top_logprobs }: JsonObject): object {
  return {
    stream: true,
    stream_options: { include_usage: true },
    ...samplingOptions(options),
    // Ollama's clients send an empty text for no format. The endpoint accepts the other values unchanged.
    ...(isAbsent(format) || format === '' ? {} : { format }),
    ...reasoningEffort(think),
    ...(readBoolean(logprobs, 'logprobs', false) ? { logprobs, ...(top_logprobs ? { top_logprobs } : {}) } : {}),
  };
}

/** Converts `think`. Unless it is false, models that can think do so. */
function reasoningEffort(think: unknown): object {
  if (isAbsent(think) || think === true) return {};
  if (think === false) return { reasoning_effort: 'none' };
  if (typeof think === 'string' && EFFORTS.includes(think)) return { reasoning_effort: think };
  throw invalid('think', `true, false or one of ${EFFORTS.join(', ')}`, think);
}
