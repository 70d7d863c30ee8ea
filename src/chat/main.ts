import { register } from '../page/index.ts';
import { keepAllRequestRecords } from '../shared/outside-requests.ts';
import { AnswerRunner } from './answers/answer-runner.ts';
import './app/chat-app.ts';
import { ConversationStore } from './storage/conversation-store.ts';
import { lastModel } from './storage/local-values.ts';

// The privacy screen shows every request since the page was opened, whenever it is looked at.
keepAllRequestRecords();

const tabserve = register({
  preload: lastModel(),
  ...(import.meta.env.DEV
    ? { serviceWorker: 'dev-sw.js?dev-sw', serviceWorkerType: 'module' }
    : { serviceWorker: 'site-service-worker.js' }),
});
const store = new ConversationStore();
// A question is reason enough to try again what failed.
const endpointReady = () => tabserve.ready.catch(() => tabserve.retry().then(() => tabserve.ready));
const answers = new AnswerRunner(store, endpointReady, tabserve.fetch);
document.querySelector('chat-app')?.start({ tabserve, store, answers });

// Nobody waits for the badge, so it comes after everything else.
void import('./offline/offline-badge.ts');
