import type { Endpoint } from './endpoint.ts';
import { jsonResponse } from './json-response.ts';
import { findModelId, requireModel } from './find-model.ts';
import { invalid, readBoolean, readModel, readText, type JsonObject } from './read-fields.ts';
import { RequestFailure } from './request-failure.ts';

/** Limit of the characters that the endpoint tokenizes in one request. */
const MAX_TOKENIZED = 2 ** 20;

/**
 * Handles `POST /api/embed`: the vectors of one or several texts. Texts that are too long are truncated, unless
 * `truncate` is false.
 */
export async function embed(body: JsonObject, endpoint: Endpoint): Promise<Response> {
  const start = performance.now();
  const model = readModel(body);
  const texts = readInput(body.input);
  const { embeddings, tokens } = await embedTexts(endpoint, await findModelId(endpoint, model), texts, {
    truncate: readBoolean(body.truncate, 'truncate', true),
    fields: body.dimensions ? { dimensions: body.dimensions } : {},
  });
  const total_duration = Math.round((performance.now() - start) * 1e6);
  return jsonResponse({ model, embeddings, total_duration, load_duration: 0, prompt_eval_count: tokens });
}

/** Handles `POST /api/embeddings`, the older form, for one text. */
export async function embedPrompt(body: JsonObject, endpoint: Endpoint): Promise<Response> {
  const prompt = readText(body.prompt, 'prompt');
  const id = await findModelId(endpoint, readModel(body));
  const { embeddings } = await embedTexts(endpoint, id, prompt === '' ? [] : [prompt], { truncate: true, fields: {} });
  return jsonResponse({ embedding: embeddings[0] ?? [] });
}

/** Reads `input`. As in Ollama, an empty text outside an array has no vector. */
function readInput(input: unknown): readonly string[] {
  if (typeof input === 'string') return input === '' ? [] : [input];
  if (!Array.isArray(input)) throw invalid('input', 'a string or an array of strings', input);
  return input.map((text: unknown, index) => {
    if (typeof text !== 'string') throw invalid(`input[${index}]`, 'a string', text);
    return text;
  });
}

interface EmbedOptions {
  readonly truncate: boolean;
  /** Additional fields for the endpoint. */
  readonly fields: object;
}

async function embedTexts(
  endpoint: Endpoint,
  model: string,
  texts: readonly string[],
  { truncate, fields }: EmbedOptions,
): Promise<{ embeddings: unknown[]; tokens: number }> {
  if (texts.length === 0) {
    await requireModel(endpoint, model);
    return { embeddings: [], tokens: 0 };
  }
  const ask = (input: readonly unknown[]) => endpoint.post('/embeddings', { ...fields, model, input });
  const answer = await ask(texts).catch(async (error: unknown) => {
    const isTooLong = error instanceof RequestFailure && error.code === 'context_length_exceeded';
    if (!truncate || !isTooLong) throw error;
    return ask(await Promise.all(texts.map((text) => firstTokens(endpoint, model, text, error))));
  });
  const { data, usage } = answer as { data: { embedding: unknown }[]; usage?: { prompt_tokens?: number } };
  return { embeddings: data.map(({ embedding }) => embedding), tokens: usage?.prompt_tokens ?? 0 };
}

/**
 * Returns the first tokens of a text, as many as fit into the model's context window.
 * @param tooLong Why the endpoint refused the whole text.
 * @throws RequestFailure with the message of `tooLong` if the endpoint does not show the model's tokens, as for GGUF
 * models.
 */
async function firstTokens(
  endpoint: Endpoint,
  model: string,
  text: string,
  tooLong: RequestFailure,
): Promise<unknown[]> {
  const prompt = text.slice(0, MAX_TOKENIZED);
  const input = { model, prompt, add_special_tokens: true, parse_special: false };
  const answer = await endpoint.post('/tokenize', input).catch((error: unknown) => {
    if (!(error instanceof RequestFailure) || error.code !== 'unsupported_value') throw error;
    const sentence = `${tooLong.message} Texts cannot be truncated for this model: split the text into shorter ones.`;
    throw new RequestFailure(tooLong.status, sentence, tooLong);
  });
  const { tokens, max_model_len } = answer as { tokens: number[]; max_model_len: number };
  return tokens.slice(0, max_model_len);
}
