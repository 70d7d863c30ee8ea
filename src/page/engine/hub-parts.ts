// One module, because each dynamic import costs the first script of all pages.
export { askForHub, TO_HUB } from './ask-for-hub.ts';
export { openHub } from './open-hub.ts';
export { storeLog } from '../../shared/messaging/store-log.ts';
