/** Defined by the build of the chat page. */
declare const TABSERVE_WITHOUT_HUB: true | undefined;

/** Whether this build can use the engine of a hub. The chat page cannot, so that its scripts stay small. */
export const CAN_USE_HUB = typeof TABSERVE_WITHOUT_HUB === 'undefined';
