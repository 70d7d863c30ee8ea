import { register } from '../page/index.ts';
import { ApiError } from '../shared/api-error.ts';
import { keepAllRequestRecords } from '../shared/outside-requests.ts';
import { AnswerRunner } from './answers/answer-runner.ts';
import './app/chat-app.ts';
import { serviceWorkerInCharge } from './common/service-worker-in-charge.ts';
import { ConversationStore } from './storage/conversation-store.ts';
import { lastModelHere } from './storage/local-values.ts';

// The privacy screen shows every request since the page was opened, whenever it is looked at.
keepAllRequestRecords();

const tabserve = register({
  preload: lastModelHere(),
  ...(import.meta.env.DEV
    ? { serviceWorker: 'dev-sw.js?dev-sw', serviceWorkerType: 'module' }
    : { serviceWorker: 'site-service-worker.js' }),
});
const store = new ConversationStore();
// A question is reason enough to try again what failed. Where there is no WebGPU an upstream may answer, or else the endpoint
// itself says what is missing.
const endpointReady = () =>
  tabserve.ready
    .catch(() => tabserve.retry().then(() => tabserve.ready))
    .catch((thrown: unknown) => {
      if (thrown instanceof ApiError && thrown.code === 'gpu_unavailable') return serviceWorkerInCharge();
      throw thrown;
    });
const answers = new AnswerRunner(store, endpointReady, tabserve.fetch);
document.querySelector('chat-app')?.start({ tabserve, store, answers });

// Nobody waits for the badge, so it comes after everything else.
void import('./offline/offline-badge.ts');
