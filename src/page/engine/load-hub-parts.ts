/** Defined by the build of the chat page. */
declare const TABSERVE_WITHOUT_HUB: true | undefined;

/**
 * Loads what a page with a hub needs. Null in the build of the chat page, which can use no hub, so that its first script
 * stays small.
 */
export const loadHubParts = typeof TABSERVE_WITHOUT_HUB === 'undefined' ? () => import('./hub-parts.ts') : null;
