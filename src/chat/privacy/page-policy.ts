import { documentHeader } from '../browser/document-policy.ts';

/**
 * Whether this site's service worker, and not the server, put the Content-Security-Policy header on this document. Then
 * it binds no page that was loaded before the service worker was active, and not the service worker itself.
 */
export async function isPolicyOfServiceWorker(): Promise<boolean> {
  return (await documentHeader('x-tabserve-policy')) === 'service-worker';
}

/** Returns the Content-Security-Policy in this document's HTML; null if there is none. */
export function policyInHtml(): string | null {
  const [meta] = document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="content-security-policy" i]');
  return meta?.content ?? null;
}
