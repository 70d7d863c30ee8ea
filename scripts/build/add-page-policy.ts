import type { Plugin } from 'vite';
import { pagePolicy } from '../../src/shared/security/security-headers.ts';

/** The first element of each page's head. The policy follows it, before anything that loads. */
const FIRST = '<meta charset="utf-8" />';

/**
 * Writes {@link pagePolicy} into the built pages, so that they have a policy at a host that sends no headers. Vite's
 * development server gets none, because it adds inline scripts to the pages.
 */
export function addPagePolicy(): Plugin {
  return {
    name: 'tabserve:page-policy',
    apply: 'build',
    transformIndexHtml(html) {
      if (!html.includes(FIRST)) throw new Error(`A page does not contain ${FIRST}.`);
      return html.replace(
        FIRST,
        `${FIRST}\n    <meta http-equiv="content-security-policy" content="${pagePolicy()}" />`,
      );
    },
  };
}
