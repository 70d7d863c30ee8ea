import { requireOption } from '../require-option.ts';

/** Rules for sending a request to an upstream, from strict to loose. */
export const UPSTREAM_ROUTES = ['local', 'prefer-local', 'upstream'] as const;

/**
 * `local`: never send the request. `prefer-local`: send it if this device cannot answer (no WebGPU, model missing or
 * too large, prompt too long). `upstream`: always send it.
 */
export type UpstreamRoute = (typeof UPSTREAM_ROUTES)[number];

/**
 * Request header with an {@link UpstreamRoute}. It can make the site's rule stricter for one request, but not looser.
 */
export const ROUTE_HEADER = 'x-tabserve-route';

/** Response header: `local`, or `upstream:` and the name of the upstream that generated the response. */
export const ENGINE_HEADER = 'x-tabserve-engine';

/** A server with the same API that may respond instead of the visitor's device, if the visitor agrees. */
export interface Upstream {
  /** Name in headers and in the user interface: up to 40 letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /** Base URL of its API, such as `https://llm.example.org/v1`. */
  readonly baseUrl: string;
  /** API key. Every visitor of the site can read it. A key that the user enters takes precedence. */
  readonly key?: string;
  /** Ids of models; a `*` at the end of an id matches any ending. */
  readonly models: readonly string[];
  readonly when: UpstreamRoute;
  /** Maps a requested id to the upstream's id, such as `{ small: 'Qwen/Qwen3-32B' }`. Default: the requested id. */
  readonly modelNames?: Readonly<Record<string, string>>;
  /** Seconds without a received byte after which a request to this upstream fails. Default: 300. */
  readonly timeout?: number;
}

/** The part of an upstream's configuration that pages receive. */
export interface UpstreamInfo extends Pick<Upstream, 'name' | 'models' | 'when'> {
  /** Scheme, host and port of the upstream. The user's permission is for this origin. */
  readonly origin: string;
}

/**
 * Validates a site's upstreams. Called once, when the service worker or the server starts.
 * @throws TypeError for an invalid upstream; the message is a sentence for the developer.
 */
export function readUpstreams(value: unknown): readonly Upstream[] {
  requireOption(Array.isArray(value), 'upstreams', 'an array');
  const names = new Set<string>();
  return value.map((upstream: Partial<Upstream> | null, index): Upstream => {
    const { name = '', baseUrl = '', models = [], when, key, modelNames = {}, timeout } = upstream ?? {};
    const option = (field: keyof Upstream) => `upstreams[${index}].${field}`;
    const isName = /^[\w.-]{1,40}$/.test(name) && !names.has(name);
    requireOption(isName, option('name'), 'a name of its own: letters, digits, `.`, `_`, `-`');
    names.add(name);
    requireOption(isBaseUrl(baseUrl), option('baseUrl'), 'an http(s) address without query and password');
    const areModels = Array.isArray(models) && models.length > 0 && models.every(isModelPattern);
    requireOption(areModels, option('models'), 'ids, with `*` at most at the end');
    requireOption(UPSTREAM_ROUTES.includes(when as UpstreamRoute), option('when'), UPSTREAM_ROUTES.join(', '));
    requireOption(key === undefined || /^[\x21-\x7e]+$/.test(key), option('key'), 'a key without blanks');
    const areIds = modelNames !== null && Object.values(modelNames).every((id) => typeof id === 'string');
    requireOption(areIds, option('modelNames'), 'an object of ids');
    // Timers take at most 2 ** 31 - 1 milliseconds, and end at once above that.
    const isTimeout = timeout === undefined || (timeout > 0 && timeout <= 2_147_483);
    requireOption(isTimeout, option('timeout'), 'seconds, at most 2147483');
    return { ...(upstream as Upstream), baseUrl: baseUrl.replace(/(?<!\/)\/+$/, '') };
  });
}

function isModelPattern(id: unknown): boolean {
  return typeof id === 'string' && /^([^*]+\*?|\*)$/.test(id);
}

function isBaseUrl(text: string): boolean {
  // Paths are added to the text. A `?` or `#` at its end is no query for URL, and blanks around it are left out.
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '';
}

export function upstreamInfo({ name, models, when, baseUrl }: Upstream): UpstreamInfo {
  return { name, models, when, origin: new URL(baseUrl).origin };
}

export function matchesModel(models: readonly string[], id: string): boolean {
  return models.some((model) => (model.endsWith('*') ? id.startsWith(model.slice(0, -1)) : id === model));
}
