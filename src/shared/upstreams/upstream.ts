import { requireOption } from '../require-option.ts';

/** Whether a request may be answered beyond this device, from the strictest to the loosest. */
export const UPSTREAM_ROUTES = ['local', 'prefer-local', 'upstream'] as const;

/**
 * `local`: never leaves the device. `prefer-local`: leaves it where this device cannot answer: no WebGPU, a model that it
 * has not or that does not fit, a prompt that is too long. `upstream`: always leaves it.
 */
export type UpstreamRoute = (typeof UPSTREAM_ROUTES)[number];

/** Request header with an {@link UpstreamRoute}: makes the site's rule stricter for one request, never looser. */
export const ROUTE_HEADER = 'x-tabserve-route';

/** Response header that says where an answer was made: `local`, or `upstream:` and the name of the upstream. */
export const ENGINE_HEADER = 'x-tabserve-engine';

/** A server of the same API that a site lets its visitors use beside this device, if they agree. */
export interface Upstream {
  /** What it is called, in headers and in front of the user: up to 40 letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /** Where its routes are, such as `https://llm.example.org/v1`. */
  readonly baseUrl: string;
  /** Its bearer key. Whoever visits the site can read it; a key that the user types goes before it. */
  readonly key?: string;
  /** Ids that it answers; one that ends with `*` stands for all that begin so. */
  readonly models: readonly string[];
  readonly when: UpstreamRoute;
  /** What it calls a model where that is not the id asked for, such as `{ pocket: 'Qwen/Qwen3-32B' }`. Default: the same. */
  readonly modelNames?: Readonly<Record<string, string>>;
  /** Seconds without a byte after which it is given up. Default: 300. */
  readonly timeout?: number;
}

/** What a page may know of an upstream. */
export interface UpstreamInfo extends Pick<Upstream, 'name' | 'models' | 'when'> {
  /** Scheme, host and port that requests go to: what the user's permission is for. */
  readonly origin: string;
}

/**
 * What a site's code says about its upstreams, checked: it is read once, as the service worker or the server starts.
 * @throws TypeError with a sentence for the developer.
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
    const areIds = Object.values(modelNames).every((id) => typeof id === 'string');
    requireOption(areIds, option('modelNames'), 'an object of ids');
    requireOption(timeout === undefined || timeout > 0, option('timeout'), 'a number of seconds');
    return { ...(upstream as Upstream), baseUrl: baseUrl.replace(/\/+$/, '') };
  });
}

function isModelPattern(id: unknown): boolean {
  return typeof id === 'string' && /^([^*]+\*?|\*)$/.test(id);
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** What pages may know of it. */
export function upstreamInfo({ name, models, when, baseUrl }: Upstream): UpstreamInfo {
  return { name, models, when, origin: new URL(baseUrl).origin };
}

/** Whether one of the ids or beginnings of ids fits. */
export function matchesModel(models: readonly string[], id: string): boolean {
  return models.some((model) => (model.endsWith('*') ? id.startsWith(model.slice(0, -1)) : id === model));
}
