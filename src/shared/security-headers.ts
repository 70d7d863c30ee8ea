/** Where model packages may come from beside the page's own origin: WebLLM's catalogue points to these. */
export const MODEL_HOSTS = [
  'https://huggingface.co',
  'https://*.huggingface.co',
  'https://*.hf.co',
  'https://raw.githubusercontent.com',
] as const;

/**
 * The Content-Security-Policy that proves the privacy promise: nothing is loaded or sent elsewhere but
 * model files. Worker scripts are bound only by the header of their own response, so a server must send
 * it with every file.
 *
 * @param modelHosts Further origins that model packages may come from.
 */
function contentSecurityPolicy(modelHosts: readonly string[] = MODEL_HOSTS): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    // Lit and the controls write style attributes and style sheets at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    // WebLLM fetches the images of a request, which clients send as data: addresses; these reach nobody.
    ['connect-src', "'self'", ...modelHosts, 'data:'].join(' '),
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
