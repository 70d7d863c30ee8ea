/** Runs in a page without WebGPU: requests the list of models and an answer. @returns both results. */
export async function askWithoutGpu(): Promise<unknown> {
  const authorization = 'Bearer local';
  const models = await fetch('/v1/models', { headers: { authorization } });
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return { models: models.status, status: response.status, body: await response.json() };
}

/** The expected result of {@link askWithoutGpu}. */
export const ANSWER_WITHOUT_GPU = { models: 200, status: 503, body: { error: { code: 'gpu_unavailable' } } };
