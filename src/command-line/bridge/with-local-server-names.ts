import type { PageFetch, PageRequest } from '../browser/page-fetch.ts';

/** Keys that clients send to local servers by default, and the empty one. */
const DEFAULT_KEYS = new Set(['', 'ollama', 'lm-studio', 'sk-no-key-required']);

/** The tag that clients of Ollama append to a model's name. */
const DEFAULT_TAG = ':latest';

/** Matches the address of a model that is named with the default tag. */
const TAGGED_MODEL_PATH = /^(\/v1\/models\/[^/?]+)(?::|%3a)latest(?=\?|$)/i;

/**
 * Wraps a page's `fetch` so that the settings of clients for other local servers work: the default keys of those
 * servers count as `local`, and `small:latest` as `small`. Keys and models that the site itself has go first, because
 * a request is changed only after it was refused. The replacement is refused too if the site does not accept `local`;
 * then the client gets the first response.
 */
export function withLocalServerNames(fetch: PageFetch): PageFetch {
  return retryChanged(retryChanged(fetch, 401, withLocalKey), 404, withoutDefaultTag);
}

function retryChanged(
  fetch: PageFetch,
  status: number,
  change: (request: PageRequest) => PageRequest | null,
): PageFetch {
  return async (request) => {
    const response = await fetch(request);
    const changed = response.status === status ? change(request) : null;
    if (changed === null) return response;
    const second = await fetch(changed);
    const [kept, dropped] = second.status === status ? [response, second] : [second, response];
    await dropped.body?.cancel();
    return kept;
  };
}

function withLocalKey(request: PageRequest): PageRequest | null {
  const { headers = [] } = request;
  const keys = headers.filter(isCredential).map(([, value]) => value.replace(/^bearer\b/i, '').trim());
  if (keys.length === 0 || !keys.every((key) => DEFAULT_KEYS.has(key))) return null;
  const others = headers.filter((header) => !isCredential(header));
  return { ...request, headers: [...others, ['authorization', 'Bearer local']] };
}

function isCredential([name]: readonly [string, string]): boolean {
  return /^(?:authorization|x-api-key)$/i.test(name);
}

function withoutDefaultTag(request: PageRequest): PageRequest | null {
  const path = request.path.replace(TAGGED_MODEL_PATH, '$1');
  if (path !== request.path) return { ...request, path };
  try {
    const fields = JSON.parse(Buffer.from(request.body ?? []).toString()) as { readonly model?: unknown } | null;
    if (typeof fields?.model !== 'string' || !fields.model.endsWith(DEFAULT_TAG)) return null;
    const model = fields.model.slice(0, -DEFAULT_TAG.length);
    return { ...request, body: Buffer.from(JSON.stringify({ ...fields, model })) };
  } catch {
    // The body is not JSON, or nested too deeply to be written again.
    return null;
  }
}
