/** Where model packages may come from beside the page's own origin: WebLLM's catalogue points to these. */
export const MODEL_HOSTS = [
  'https://huggingface.co',
  'https://*.huggingface.co',
  'https://*.hf.co',
  'https://raw.githubusercontent.com',
] as const;

export interface PolicyOptions {
  /** Origins that model packages may come from. Default: the hosts of the model catalogue; `[]` where all lie on the site. */
  readonly modelHosts?: readonly string[];
  /** Origins of upstreams, which only the service worker's script calls. Default: none. */
  readonly upstreams?: readonly string[];
}

/**
 * What Tabserve needs of a site's own Content-Security-Policy: names of directives and their sources, to be added to those
 * that the site has already. The same for every file is the simplest: a worker is bound by the header of its own script.
 */
export function contentSecurityPolicyDirectives({
  modelHosts = MODEL_HOSTS,
  upstreams = [],
}: PolicyOptions = {}): Readonly<Record<'script-src' | 'worker-src' | 'connect-src', readonly string[]>> {
  return {
    // The scripts themselves, and in the engine worker the compiled library of a model.
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'worker-src': ["'self'"],
    // WebLLM fetches the images of a request, which clients send as data: addresses; these reach nobody.
    'connect-src': ["'self'", ...modelHosts, ...upstreams, 'data:'],
  };
}

/**
 * The Content-Security-Policy that proves the privacy promise: nothing is loaded or sent elsewhere but
 * model files. Worker scripts are bound only by the header of their own response, so a server must send
 * it with every file.
 *
 * @param modelHosts Further origins that model packages may come from.
 */
function contentSecurityPolicy(modelHosts: readonly string[] = MODEL_HOSTS): string {
  const needed = Object.entries(contentSecurityPolicyDirectives({ modelHosts }));
  return [
    "default-src 'none'",
    ...needed.map(([name, sources]) => [name, ...sources].join(' ')),
    // Lit and the controls write style attributes and style sheets at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Every header that a server of the built site should send with every file.
 *
 * @param modelHosts Further origins that model packages may come from. For the service worker's script, which alone calls
 *   upstreams, add their origins: without that the browser lets nothing leave for them.
 */
export function securityHeaders(modelHosts: readonly string[] = MODEL_HOSTS): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(modelHosts),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}
