import { evictOldAnswers, STORED_ANSWERS } from '../shared/storage/answer-database.ts';
import { storeBrowserWindow } from '../shared/storage/browser-model.ts';
import { findEngineModel, listAllEngineModels } from '../shared/storage/device-models.ts';
import { forgetUnusedHubModels } from '../shared/storage/hub-models.ts';
import { CAN_USE_HUB } from '../shared/hub/can-use-hub.ts';
import { HUB_SITES } from './hub/hub-database.ts';
import { ENGINE_LOCK_PREFIX } from '../shared/locks/site-locks.ts';
import { holdLivenessLock } from '../shared/locks/liveness-lock.ts';
import { MODEL_EVENTS_CHANNEL, type ModelEvent } from '../shared/models/model-management.ts';
import { keepAllResourceTimings } from '../shared/security/outside-requests.ts';
import type { ModelEntry } from '../shared/models/model-entry.ts';
import { readSiteModels, type SiteModels } from '../shared/models/site-models.ts';
import { has64BitMemory } from '../shared/web-assembly-features.ts';
import { joinTrace, trace } from '../shared/trace/trace.ts';
import { hubCallHandlers } from './ports/hub-call-handlers.ts';
import { embeddedSite, isEmbedded } from './embedded-site.ts';
import { HubSites } from './hub/hub-sites.ts';
import { SiteLogs } from './hub/site-logs.ts';
import { createDocuments } from './documents/documents.ts';
import { DocumentReader } from './documents/reading/document-reader.ts';
import type { FindModel } from './completions/completions-options.ts';
import { AnswersElsewhere, CANCELLED_ANSWERS_CHANNEL } from './completions/answers-elsewhere.ts';
import { Completions } from './completions/completions.ts';
import { modelCallHandlers } from './ports/model-call-handlers.ts';
import { ChosenFiles } from './models/download/chosen-files.ts';
import { BROWSER_ENVIRONMENT } from './models/download/download-environment.ts';
import { withOverflow } from './models/download/overflow-caches.ts';
import { Downloads } from './models/download/downloads.ts';
import { ggufCatalogue } from './models/gguf/gguf-catalogue.ts';
import { ManagedModels } from './models/managed-models.ts';
import { modelToPreload } from './models/model-to-preload.ts';
import { STORED_RECORDS } from './models/model-records.ts';
import { webAssemblyFault } from './web-assembly-fault.ts';
import { isReplaced, whenUnused } from './when-unused.ts';
import { PortServer } from './ports/port-server.ts';
import { GpuProbe } from './gpu-source.ts';
import { startWorkerInPage } from './ports/start-worker-in-page.ts';
import { waitForPages } from './ports/wait-for-pages.ts';
import { createBrowserModelEngine } from './browser-model/create-browser-model-engine.ts';
import { EngineByFormat } from './engine-by-format.ts';
import { createLlamaCppEngine } from './llama-cpp/create-llama-cpp-engine.ts';
import { createWebLlmEngine, prebuiltModels } from './webllm/create-webllm-engine.ts';

declare const self: SharedWorkerGlobalScope | DedicatedWorkerGlobalScope;
/** Folder of llama.cpp's files, relative to the site's root. The build defines it. */
declare const LLAMA_CPP_FOLDER: string;
declare const navigator: WorkerNavigator & { readonly deviceMemory?: number };

joinTrace('engine');
keepAllResourceTimings();
const lockName = ENGINE_LOCK_PREFIX + self.name;
const held = holdLivenessLock(lockName).then(() => lockName);
const gpu = new GpuProbe();
/** Main memory in bytes; null if the browser does not report it. */
const deviceMemory = navigator.deviceMemory === undefined ? null : navigator.deviceMemory * 2 ** 30;
/** Whether llama.cpp's program for 32-bit memories runs here. */
const isCompat = !has64BitMemory();

/** The models of each site, by the site's root address. */
const sites = new Map<string, SiteModels>();
const siteModels = (site: string) => sites.get(site) ?? readSiteModels({}, site);
/** Usually an origin has one site. If it has several, this is the root address of the one that joined this engine last. */
const latestSite = () => [...sites.keys()].at(-1) ?? self.location.href;
const hub = new HubSites({
  records: HUB_SITES,
  // A list without the downloaded models would hold for a site until it is loaded again.
  listModels: (site) => listAllEngineModels(siteModels(site).entries),
  onRevoked(origin) {
    server.closeSite(embeddedSite(origin));
    siteLogs.delete(embeddedSite(origin));
  },
});
const siteLogs = new SiteLogs((site, id, log) => server.sendLog(site, id, log));
const findModel: FindModel = async (id, site) => {
  await models.settled();
  return findEngineModel(id, siteModels(hub.modelSite(site, id)).entries);
};

/** Ends this worker. That releases its liveness lock, so that clients start a new engine. */
const end = () => self.close();

const webllm = createWebLlmEngine({
  isGpuGone: () => gpu.isGone(),
  gpuName: async () => (await gpu.find())?.description ?? '',
  // A sixteenth of main memory for saved KV caches; 4 GiB of main memory are assumed if unknown.
  promptMemory: (deviceMemory ?? 4 * 2 ** 30) / 16,
});
const llamaCpp = createLlamaCppEngine({
  folder: () => new URL(LLAMA_CPP_FOLDER, latestSite()).href,
  isCompat,
  startWorker: async (script) => {
    const pages = await waitForPages(server);
    if (pages.length === 0) void endIfReplaced().catch(() => {});
    return startWorkerInPage(pages, script, end);
  },
  deviceMemory,
});
const browser = createBrowserModelEngine({
  pages: () => waitForPages(server),
  // If the database fails, the list of models does not contain the browser's model, so its window is not needed.
  onWindow: (tokens) => void storeBrowserWindow(tokens).catch(() => {}),
});
const hasNoGpu = async () => (await gpu.find()) === null && !(await gpu.isGone());

const completions = new Completions({
  engine: new EngineByFormat({ webllm, llamaCpp, browser, hasNoGpu }),
  findModel,
  gpu,
  onStuck: end,
  isInForeground: (site) => server.isInForeground(site),
  cacheScope: (site) => (isEmbedded(site) ? site : undefined),
  onAnswered: (completion) => void hub.completed(completion),
  saveLog: async (id, log, site) => (isEmbedded(site) ? siteLogs.add(site, id, log) : STORED_ANSWERS.addLog(id, log)),
  elsewhere: new AnswersElsewhere(lockName, STORED_ANSWERS, new BroadcastChannel(CANCELLED_ANSWERS_CHANNEL)),
});

// Loading a model, also by WebLLM, uses the global `caches`, which keeps small files in memory if the disk is full. A
// download that the user started uses the browser's own `caches`, because the download must be stored or fail.
const chosenFiles = new ChosenFiles();
const environment = {
  ...BROWSER_ENVIRONMENT,
  fetch: chosenFiles.fetchWith(BROWSER_ENVIRONMENT.fetch),
  caches,
  isOnline: () => navigator.onLine,
};
Object.defineProperty(self, 'caches', { value: withOverflow(caches, self.location.origin) });

const channel = new BroadcastChannel(MODEL_EVENTS_CHANNEL);
const announce = (event: ModelEvent) => channel.postMessage(event);
const downloads = new Downloads({ environment, records: STORED_RECORDS, announce });
const models = new ManagedModels({
  downloads,
  environment,
  records: STORED_RECORDS,
  catalogue: prebuiltModels,
  ggufCatalogue,
  siteModels,
  device: () => gpu.find(),
  deviceMemory,
  isCompat,
  announce,
  chosenFiles,
});

const runnable = async (model: ModelEntry, site: string) =>
  modelToPreload(model, siteModels(site).entries, !(await hasNoGpu()));
const reader = new DocumentReader({ pages: () => server.pages });
const documents = createDocuments({ completions, findModel, locks: navigator.locks, readDocument: reader.read });
const handlers = {
  ...modelCallHandlers({ models, completions, findModel, runnable }),
  ...documents.handlers,
  ...hubCallHandlers(hub),
};
let hasResumed = false;
/**
 * Continues what an earlier engine has left undone, once the first page uses this engine. Documents would fail to be indexed
 * in one that no page accepts.
 */
const resumeWork = () => {
  if (hasResumed) return;
  hasResumed = true;
  documents.resume().catch((thrown: unknown) => trace('documents', 'cannot be resumed', String(thrown)));
  models.finishDeletions(latestSite()).catch((thrown: unknown) => trace('models', 'stay half deleted', String(thrown)));
};
const server = new PortServer({
  completions,
  handlers,
  lockName: held,
  gpu,
  sites,
  fault: webAssemblyFault(),
  hub,
  siteLogs,
  onAccepted() {
    resumeWork();
    evictOldAnswers().catch((thrown: unknown) => trace('answers', 'cannot be evicted', String(thrown)));
    // Without the database nothing is stored that could be forgotten.
    if (CAN_USE_HUB) void forgetUnusedHubModels().catch(() => {});
  },
  onAbandoned: end,
});
/**
 * Ends this engine if nothing is of use here and there is another engine, whose pages may run llama.cpp. A service worker
 * may have kept this engine through an update; it asks a page for the other one then.
 */
async function endIfReplaced(): Promise<void> {
  const isOfUse = downloads.areRunning || completions.status.state === 'ready';
  if (!isOfUse && (await isReplaced(lockName))) end();
}

const isUsed = (): boolean => server.isUsed;
const isIdle = (): boolean => completions.isIdle && !completions.joinable.isSaving && !downloads.areRunning;
void held.then(() => whenUnused(lockName, isUsed, isIdle)).then(end);

function serveTransferred({ ports }: MessageEvent): void {
  for (const port of ports) server.serve(port);
}

// A SharedWorker gets its ports by `connect` events, a DedicatedWorker by messages.
self.addEventListener('onconnect' in self ? 'connect' : 'message', (event) => serveTransferred(event as MessageEvent));
