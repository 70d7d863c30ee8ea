import { jsonResponse } from '../http/http-responses.ts';

/**
 * `GET /health`, as llama-server answers it: whether requests are accepted. A model loads with the first request for it, so
 * the answer does not depend on a model.
 */
export async function reportHealth(): Promise<Response> {
  return jsonResponse({ status: 'ok' });
}
