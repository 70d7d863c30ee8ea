/** Defined by the build of the chat page. */
declare const TABSERVE_WITHOUT_HUB: true | undefined;

/**
 * Loads what a page with a hub needs. Null in the build of the chat page, which can use no hub, so that its first script
 * stays small. `CAN_USE_HUB` says the same, but of a condition in another module the bundler does not drop the import.
 */
export const loadHubParts = typeof TABSERVE_WITHOUT_HUB === 'undefined' ? () => import('./hub-parts.ts') : null;
