import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import type { Tabserve } from '../page/index.ts';
import { lateErrorStatus } from '../shared/http/late-error-status.ts';
import { whenReady } from './when-ready.ts';

/** Optional settings of {@link createTabserve}. */
export interface TabserveProviderOptions {
  /** Default: `local`, the key that every site accepts unless it configures keys. */
  readonly apiKey?: string;
}

/**
 * A provider for Vercel's `ai` package: `generateText({ model: createTabserve(register())('pocket'), … })`.
 *
 * A call waits until the endpoint is ready. Its stream resumes if the browser stops the service worker. Streams report
 * usage, and JSON schemas are enforced during decoding.
 * @param tabserve The result of `register()`.
 */
export function createTabserve(
  tabserve: Pick<Tabserve, 'ready' | 'fetch' | 'basePath'>,
  { apiKey = 'local' }: TabserveProviderOptions = {},
): OpenAICompatibleProvider {
  // A server has no `location`. There the provider is created but never called, so any origin will do.
  const origin = globalThis.location?.origin ?? 'http://localhost';
  return createOpenAICompatible({
    name: 'tabserve',
    baseURL: origin,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: async (input, init) => {
      await whenReady(tabserve, init?.signal);
      // The path of the endpoint may be known only after the endpoint is ready, so it is inserted at each request.
      return withStatus(await tabserve.fetch(String(input).replace(origin, origin + tabserve.basePath), init));
    },
  });
}

/**
 * Gives a JSON answer that failed after its headers the status of its error. `ai` would say "Invalid JSON response" instead
 * of what has failed. It reads the whole body anyway, so that this one waits for nothing that `ai` does not.
 */
async function withStatus(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status !== 200 || !headers.get('content-type')?.startsWith('application/json')) return response;
  const text = await response.text();
  return new Response(text, { status: lateErrorStatus(text), headers });
}
