import { register } from '../page/index.ts';
import { keepAllRequestRecords } from '../shared/outside-requests.ts';
import './app/chat-app.ts';
import { lastModel } from './storage/local-values.ts';
import { answerRunner } from './services.ts';

// The privacy screen shows every request since the page was opened, whenever it is looked at.
keepAllRequestRecords();

const tabserve = register({
  preload: lastModel(),
  ...(import.meta.env.DEV
    ? { serviceWorker: 'dev-sw.js?dev-sw', serviceWorkerType: 'module' }
    : { serviceWorker: 'site-service-worker.js' }),
});

answerRunner.waitFor(tabserve.ready);

const app = document.querySelector('chat-app');
if (app !== null) app.tabserve = tabserve;

// Nobody waits for the badge, so it comes after everything else.
void import('./offline/offline-badge.ts');
