import { documentPolicy, policySources } from '../browser/document-policy.ts';
import { requestSiteReport } from '../browser/request-site-report.ts';

/**
 * Whether the site refuses models of other hosts, and the page's header keeps the page from all other origins, too. The
 * header is the server's, or, where the server sends none, the service worker's.
 */
export async function isStrictSite(): Promise<boolean> {
  const [report, policy, sources] = await Promise.all([requestSiteReport(), documentPolicy(), policySources()]);
  return report?.isStrict === true && policy !== null && sources.length === 0;
}
