/** The hosts of model packages and model libraries in WebLLM's catalogue. */
export const MODEL_HOSTS = [
  'https://huggingface.co',
  'https://*.huggingface.co',
  'https://*.hf.co',
  'https://raw.githubusercontent.com',
] as const;

export interface PolicyOptions {
  /** Origins of model packages. Default: the hosts of the model catalogue. `[]` if the site hosts all its models. */
  readonly modelHosts?: readonly string[];
  /** Origins of upstreams. Only the policy of the service worker's script needs them. Default: none. */
  readonly upstreams?: readonly string[];
  /** Address of the hub that the site uses, which is shown in a frame. Default: none. */
  readonly hub?: string;
}

/**
 * The directives and sources that Tabserve needs, to be added to a site's own Content-Security-Policy. A worker obeys
 * the policy that is sent with its own script, so it is simplest to send the same policy with every file.
 */
export function contentSecurityPolicyDirectives({
  modelHosts = MODEL_HOSTS,
  upstreams = [],
  hub,
}: PolicyOptions = {}): Readonly<
  Record<'script-src' | 'worker-src' | 'connect-src', readonly string[]> &
    Partial<Record<'frame-src', readonly string[]>>
> {
  return {
    // The engine worker compiles a model's WebAssembly.
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'worker-src': ["'self'"],
    // The engines fetch a request's images, which clients send as data: addresses. These never leave the device.
    'connect-src': ["'self'", ...modelHosts, ...upstreams, 'data:'],
    ...(hub !== undefined && { 'frame-src': [new URL(hub).origin] }),
  };
}

/** The directives of the chat page and its workers, by their names. */
function siteDirectives(modelHosts: readonly string[], hub?: string): Readonly<Record<string, readonly string[]>> {
  return {
    'default-src': ["'none'"],
    ...contentSecurityPolicyDirectives({ modelHosts, ...(hub !== undefined && { hub }) }),
    // Lit and the UI components set style attributes and style sheets at run time.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  };
}

const policyText = (directives: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');

/**
 * The policy that is written into the page's HTML, for a host that sends no headers. It lets the page connect to its own
 * origin only: engine worker and service worker do all else, under the headers of their own scripts. So headers may name
 * more model hosts and upstreams. The browser enforces both policies: what else a host's own header allows, such as
 * pictures of other hosts, this one still forbids.
 */
export function pagePolicy(): string {
  return policyText(siteDirectives([]));
}

/**
 * Returns the value of `Connection-Allowlist`, which Chromium enforces from version 152 on. It names the same hosts as
 * `connect-src`, and also limits what a Content-Security-Policy does not: navigation, new windows, and WebRTC in frames
 * and new windows. Model hosts redirect downloads to their storage, which has names of its own, so redirects of listed
 * hosts are followed; `connect-src` still limits where a download may lead.
 */
function connectionAllowlist(modelHosts: readonly string[]): string {
  const patterns = modelHosts.map((source) => ` ${JSON.stringify(urlPattern(source))}`).join('');
  return `(response-origin${patterns})${modelHosts.length > 0 ? ';redirects=allow' : ''};webrtc=block`;
}

/** Converts a source of a Content-Security-Policy, such as an origin, to a pattern that matches the same URLs. */
function urlPattern(source: string): string {
  const [, scheme = 'http{s}?:', host = '*:*', path = '/'] =
    /^([a-z][a-z\d+.-]*:)?(?:\/\/)?([^/]*)(\/.*)?$/i.exec(source) ?? [];
  // The allowlist matches a WebSocket by the URL of its handshake.
  return `${scheme.replace(/^ws/, 'http')}//${host === '*' || host === '' ? '*:*' : host}${path.endsWith('/') ? `${path}*` : path}`;
}

/**
 * The headers to send with every file of the built site. They enforce the privacy promise: nothing but model files is
 * requested from other origins. Chromium from version 152 on also opens no other site from the pages, not by a link
 * either; send the headers without `connection-allowlist` where that is not wanted.
 *
 * @param modelHosts Origins of model packages. For the service worker's script add the origins of upstreams, which it
 * calls. `[]` allows no other origin at all.
 * @param hub Address of the hub that the site uses. Default: none.
 */
export function securityHeaders(modelHosts: readonly string[] = MODEL_HOSTS, hub?: string): Record<string, string> {
  const connected = hub === undefined ? modelHosts : [...modelHosts, new URL(hub).origin];
  return {
    // A policy in the page's HTML cannot say by which pages it may be framed.
    'content-security-policy': policyText({ ...siteDirectives(modelHosts, hub), 'frame-ancestors': ["'none'"] }),
    'connection-allowlist': connectionAllowlist(connected),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Firefox looks up the host names of a page's links in advance, and a model can write a text into such a name.
    'x-dns-prefetch-control': 'off',
    // These two headers isolate the page from other origins. WebAssembly has threads only in an isolated page.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    // Pages of other origins cannot embed the site's files, nor read them through a flaw of the processor.
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/**
 * The headers to send with every file of a hub, in place of {@link securityHeaders}.
 * @param sites Origins of the sites that may use it, as sources of a Content-Security-Policy. No other site can show its
 * frame.
 * @param modelHosts See {@link securityHeaders}.
 */
export function hubHeaders(
  sites: readonly string[],
  modelHosts: readonly string[] = MODEL_HOSTS,
): Record<string, string> {
  return {
    ...securityHeaders(modelHosts),
    'content-security-policy': policyText({
      ...siteDirectives(modelHosts),
      'frame-ancestors': ["'self'", ...sites],
    }),
    // Isolated pages of other origins may only show a frame that allows it.
    'cross-origin-resource-policy': 'cross-origin',
  };
}
