import { register } from '../page/index.ts';
import { BUILT_IN_MODEL_ID } from '../shared/built-in-model.ts';
import './app/chat-app.ts';
import { followColourScheme } from './theme/follow-colour-scheme.ts';

followColourScheme();

const tabserve = register({
  preload: BUILT_IN_MODEL_ID,
  ...(import.meta.env.DEV
    ? { serviceWorker: 'dev-sw.js?dev-sw', serviceWorkerType: 'module' }
    : { serviceWorker: 'site-service-worker.js' }),
});

const app = document.querySelector('chat-app');
if (app !== null) app.tabserve = tabserve;
