import { resumeLater, type Fault } from './fault.ts';
import { findWorkers } from './find-workers.ts';
import { FREEZING_FAULTS } from './freezing-faults.ts';
import { malformed, megabyte } from './judge/questions.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { clearStorage, STORAGE_FAULTS } from './storage-faults.ts';
import { askAtOnce, closeTab, crashTab, stopServiceWorkers } from './tab-faults.ts';

/** The fault of the whole browser, which the run itself does between two rounds. */
export const BROWSER_KILLED = 'browser killed';

export const FAULTS: readonly Fault[] = [
  ...FREEZING_FAULTS,
  ...PROCESS_FAULTS,
  ...STORAGE_FAULTS,
  { name: 'tab crashed', weight: 5, apply: crashTab },
  { name: 'tab closed', weight: 6, apply: closeTab },
  { name: 'tab reloaded', weight: 8, apply: (_context, tab) => tab.reload(false) },
  { name: 'tab reloaded past the cache', weight: 6, apply: (_context, tab) => tab.reload(true) },
  {
    name: 'tab in the debugger',
    weight: 3,
    openTabs: 2,
    async apply(context, tab, random) {
      await tab.stopInDebugger();
      resumeLater(context, tab, random);
    },
  },
  {
    name: 'tab in an alert',
    weight: 3,
    openTabs: 2,
    async apply(context, tab, random) {
      await tab.stopInAlert();
      resumeLater(context, tab, random);
    },
  },
  { name: 'service worker stopped', weight: 12, apply: stopServiceWorkers },
  {
    name: 'service worker unregistered',
    weight: 4,
    async apply({ harms, site }, { session }) {
      await session.send('ServiceWorker.enable');
      harms.serviceWorkerFaults.push(performance.now());
      await session.send('ServiceWorker.unregister', { scopeURL: site.url });
      await session.send('ServiceWorker.disable');
    },
  },
  {
    name: 'service worker updated',
    weight: 5,
    async apply({ harms, site, standing }, tab, random) {
      harms.builds.push(performance.now());
      site.publishNewBuild();
      await tab.session.send('ServiceWorker.enable');
      await tab.session.send('ServiceWorker.updateRegistration', { scopeURL: site.url });
      await tab.session.send('ServiceWorker.disable');
      // The user applies the update in some cases, and ignores it in others.
      if (random.chance(0.6)) {
        standing.add('site', random.integer(1000, 3000), async () => {
          if (tab.state === 'open') await tab.applyUpdate();
        });
      }
    },
  },
  {
    name: 'engine killed',
    weight: 10,
    async apply(context) {
      for (const engine of (await findWorkers(context)).engines) await context.browser.endEngine(engine);
    },
  },
  {
    name: 'worker of llama.cpp killed',
    weight: 8,
    onlyLlamaCpp: true,
    async apply(context) {
      for (const worker of (await findWorkers(context)).llamaCpp) await context.browser.endEngine(worker);
    },
  },
  {
    name: 'GPU process crashed',
    weight: 1,
    // After three crashes with less than five minutes in between, Chromium disables WebGPU until it is restarted. After
    // two in a short time, it provides no adapter for minutes. On a fast machine, 300 faults take seven minutes.
    spacing: 300,
    apply({ browser, harms }) {
      harms.gpuCrashes.push(performance.now());
      browser.session.sendPatiently('Browser.crashGpuProcess').catch(() => {});
    },
  },
  {
    name: 'storage cleared',
    weight: 3,
    async apply({ harms, site }, { session }) {
      harms.serviceWorkerFaults.push(performance.now());
      await clearStorage(harms, session, site.url);
    },
  },
  {
    name: 'offline',
    weight: 5,
    apply({ harms, site, standing }, _tab, random) {
      if (!site.online) return;
      const outage = { start: performance.now(), end: Number.POSITIVE_INFINITY };
      harms.outages.push(outage);
      site.goOffline();
      standing.add('site', random.integer(500, 8000), async () => {
        await site.goOnline();
        outage.end = performance.now();
      });
    },
  },
  {
    // Also while a model is being downloaded, or a page is being loaded.
    name: 'server stalls',
    weight: 5,
    apply({ harms, site, standing }, _tab, random) {
      const outage = { start: performance.now(), end: Number.POSITIVE_INFINITY };
      harms.outages.push(outage);
      const goOn = site.stall();
      standing.add('site', random.integer(500, 8000), async () => {
        goOn();
        outage.end = performance.now();
      });
    },
  },
  {
    name: 'upstream away',
    weight: 4,
    isHarmless: true,
    apply({ harms, site, standing }, _tab, random) {
      const outage = { start: performance.now(), end: Number.POSITIVE_INFINITY };
      harms.upstreamOutages.push(outage);
      const comeBack = site.upstream.goAway();
      standing.add('site', random.integer(500, 8000), async () => {
        comeBack();
        outage.end = performance.now();
      });
    },
  },
  { name: 'burst of requests', weight: 5, isHarmless: true, apply: askAtOnce },
  {
    name: 'a megabyte asked',
    weight: 3,
    isHarmless: true,
    apply: ({ model, traffic }, tab) => void traffic.refusal(tab, megabyte(model.id)),
  },
  {
    name: 'request left',
    weight: 10,
    isHarmless: true,
    apply({ traffic }, tab, random) {
      void traffic.question(tab, random, { abortAfter: random.integer(0, 3000) });
    },
  },
  {
    name: 'malformed request',
    weight: 6,
    isHarmless: true,
    apply: ({ model, traffic }, tab, random) => void traffic.refusal(tab, random.pick(malformed(model.id))),
  },
  {
    name: 'slow reader',
    weight: 5,
    isHarmless: true,
    apply({ traffic }, tab, random) {
      void traffic.question(tab, random, { readPause: random.integer(100, 700) });
    },
  },
];

export const FAULT_NAMES: readonly string[] = [...FAULTS.map(({ name }) => name), BROWSER_KILLED];
