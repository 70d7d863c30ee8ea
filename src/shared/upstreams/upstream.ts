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
  if (!Array.isArray(value)) throw new TypeError('`upstreams` must be an array.');
  const names = new Set<unknown>();
  return value.map((upstream: Partial<Upstream> | null, index): Upstream => {
    const { name = '', baseUrl = '', models = [], when, key, modelNames = {}, timeout } = upstream ?? {};
    const require = (holds: boolean, field: keyof Upstream, wanted: string) => {
      if (!holds) throw new TypeError(`\`upstreams[${index}].${field}\` must be ${wanted}.`);
    };
    require(/^[\w.-]{1,40}$/.test(name) &&
      !names.has(name), 'name', 'a name of its own: letters, digits, `.`, `_`, `-`');
    names.add(name);
    require(isBaseUrl(baseUrl), 'baseUrl', 'an http(s) address without query and password');
    require(Array.isArray(models) &&
      models.length > 0 &&
      models.every(isPattern), 'models', 'ids, with `*` at most at the end');
    require(UPSTREAM_ROUTES.includes(when as UpstreamRoute), 'when', UPSTREAM_ROUTES.join(', '));
    require(key === undefined || /^[\x21-\x7e]+$/.test(key), 'key', 'a key without blanks');
    require(Object.values(modelNames).every((id) => typeof id === 'string'), 'modelNames', 'an object of ids');
    require(timeout === undefined || timeout > 0, 'timeout', 'a number of seconds');
    return { ...(upstream as Upstream), baseUrl: baseUrl.replace(/\/+$/, '') };
  });
}

function isPattern(id: unknown): boolean {
  return typeof id === 'string' && /^([^*]+\*?|\*)$/.test(id);
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + search + hash === '';
}

/** What pages may know of it. */
export function upstreamInfo({ name, models, when, baseUrl }: Upstream): UpstreamInfo {
  return { name, models, when, origin: new URL(baseUrl).origin };
}

/** Whether one of the ids or beginnings of ids fits. */
export function matchesModel(models: readonly string[], id: string): boolean {
  return models.some((model) => (model.endsWith('*') ? id.startsWith(model.slice(0, -1)) : id === model));
}
