import { ApiError } from '../../shared/api-error.ts';
import { REQUEST_DEFAULTS } from '../../shared/engine/request-defaults.ts';
import type { Completions } from '../completions/completions.ts';

interface EmbeddingOptions {
  /** Id of the embedding model. */
  readonly model: string;
  /** Root address of the site whose models are used. */
  readonly site: string;
  /** Whether all other requests go first. */
  readonly isBackground: boolean;
}

/**
 * Computes the vectors of texts, each normalised to length 1. Of a text that exceeds the model's window, only the beginning
 * counts.
 * @throws ApiError of the completion, such as `model_not_found`.
 */
export type EmbedTexts = (
  texts: readonly string[],
  options: EmbeddingOptions,
) => Promise<readonly Float32Array<ArrayBuffer>[]>;

/** Computes vectors by completions, which queue with all others. */
export function embedWith(completions: Pick<Completions, 'start'>): EmbedTexts {
  const embed: EmbedTexts = async (texts, options) => {
    try {
      return await runEmbedding(completions, texts, options);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'context_length_exceeded') throw thrown;
      const [text = ''] = texts;
      if (texts.length === 1) return embed([shortened(text, thrown)], options);
      const one = async (single: string) => (await embed([single], options))[0]!;
      const vectors: Float32Array<ArrayBuffer>[] = [];
      for (const single of texts) vectors.push(await one(single));
      return vectors;
    }
  };
  return embed;
}

/** Returns the part of a text that should fit. At least a tenth is cut, so that repeated calls come to an end. */
function shortened(text: string, { overflow }: ApiError): string {
  const share = overflow === undefined ? 0.5 : Math.min(0.9, (0.95 * overflow.maximum) / overflow.tokens);
  return text.slice(0, Math.max(1, Math.floor(text.length * share)));
}

function runEmbedding(
  completions: Pick<Completions, 'start'>,
  inputs: readonly string[],
  { model, site, isBackground }: EmbeddingOptions,
): Promise<readonly Float32Array<ArrayBuffer>[]> {
  const request = { ...REQUEST_DEFAULTS, model, messages: [], embed: { inputs, dimensions: null } };
  const requestId = `documents_${crypto.randomUUID()}`;
  const options = { requestId, fingerprint: requestId, holdTime: null, isBackground };
  return new Promise((resolve, reject) => {
    const vectors: Float32Array<ArrayBuffer>[] = [];
    completions.start(request, options, site).log.subscribe((event) => {
      if (event.type === 'delta' && event.embedding !== undefined) vectors[event.choice] = event.embedding;
      else if (event.type === 'done') resolve(vectors);
      else if (event.type === 'error') reject(ApiError.fromData(event.error));
    });
  });
}
