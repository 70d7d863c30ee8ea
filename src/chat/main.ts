import { register } from '../page/register.ts';
import { ApiError } from '../shared/api-error.ts';
import { keepAllResourceTimings } from '../shared/security/outside-requests.ts';
import { AnswerRunner } from './answers/answer-runner.ts';
import { noteAnswersBeforeReload, takeAnswersBeforeReload } from './answers/answers-before-reload.ts';
import { ChatApp } from './app/chat-app.ts';
import { reloadWhenRequired } from './app/reload-when-required.ts';
import { ServiceWorkerUpdates } from './browser/service-worker-updates.ts';
import { replaceDeniedStorage } from './browser/replace-denied-storage.ts';
import { loadInBackground } from './browser/load-part.ts';
import { serviceWorkerInCharge } from './browser/service-worker-in-charge.ts';
import { ConversationStore } from './storage/conversation-store.ts';
import { defaultModel } from './storage/all-chats-settings.ts';
import { chosenLanguage, lastModelHere } from './storage/local-storage-values.ts';
import { preferredLanguage } from './strings/page-language.ts';
import { useLanguage } from './strings/use-language.ts';
import { followColourScheme } from './theme/colour-scheme.ts';

replaceDeniedStorage();
followColourScheme();
const wordsInPlace = useLanguage(preferredLanguage(chosenLanguage(), navigator.languages));

// Raises the browser's limit of resource timings, because the privacy screen lists all requests since the page was
// opened.
keepAllResourceTimings();

const updates = new ServiceWorkerUpdates();
const tabserve = register({
  registerServiceWorker: updates.register,
  preload: defaultModel() ?? lastModelHere(),
  ...(import.meta.env.DEV
    ? { serviceWorker: 'dev-sw.js?dev-sw', serviceWorkerType: 'module' }
    : { serviceWorker: 'site-service-worker.js' }),
});
const store = new ConversationStore();
// Resolves when a question can be sent. After a failed start, starts the endpoint again. Also resolves without WebGPU:
// an upstream server may answer the question, or the endpoint responds with the reason.
const endpointReady = () =>
  tabserve.ready
    .catch(() => tabserve.retry().then(() => tabserve.ready))
    .catch((thrown: unknown) => {
      if (thrown instanceof ApiError && thrown.code === 'gpu_unavailable') return serviceWorkerInCharge();
      throw thrown;
    });
const answers = new AnswerRunner(store, endpointReady, tabserve.fetch, store, takeAnswersBeforeReload());
addEventListener('pagehide', () => noteAnswersBeforeReload(answers.ids));

async function showPage(): Promise<void> {
  await wordsInPlace;
  const app = new ChatApp();
  app.start({ tabserve, store, answers, updates });
  document.querySelector('.shell')?.replaceWith(app);
}
void showPage();

reloadWhenRequired(tabserve, answers, store);

// The page works without these parts, so they are loaded last.
loadInBackground(import('./app/lazy-parts.ts'));
const titles = import('./answers/title-writer.ts').then(({ writeTitles }) =>
  writeTitles(answers, store, () => tabserve.status, tabserve.fetch),
);
loadInBackground(titles);
