import { BUILT_IN_MODEL_ID } from '../../src/shared/models/built-in-models.ts';
import type { Fault } from './fault.ts';

/** Faults of processes and of the browser's history, which a page does not notice before they are over. */
export const PROCESS_FAULTS: readonly Fault[] = [
  {
    // The service worker, or the engine of all tabs, may be in this process.
    name: 'process stopped',
    weight: 4,
    async apply({ browser, harms, standing }, _tab, random) {
      const { processInfo } = await browser.session.send('SystemInfo.getProcessInfo');
      const { id } = random.pick(processInfo.filter(({ type }) => type === 'renderer'));
      const time = random.integer(500, 8000);
      const pause = { start: performance.now(), end: performance.now() + time };
      process.kill(id, 'SIGSTOP');
      harms.pauses.push(pause);
      standing.add('site', time, async () => {
        pause.end = performance.now();
        process.kill(id, 'SIGCONT');
      });
    },
  },
  {
    name: 'back and forward',
    weight: 4,
    async apply({ site, standing }, tab, random) {
      await tab.leave(site.controlUrl);
      standing.add('site', random.integer(300, 4000), () => tab.comeBack(site.url));
    },
  },
  {
    name: 'model unloaded',
    weight: 3,
    apply({ harms }, tab) {
      harms.removals.push(performance.now());
      void tab.callBriefly('callEngine', 'models/unload', null);
    },
  },
  {
    name: 'model deleted',
    weight: 3,
    onlyLlamaCpp: true,
    apply({ harms, model }, tab) {
      harms.removals.push(performance.now());
      void tab.callBriefly('callEngine', 'models/delete', { id: model.id });
    },
  },
  {
    name: 'other model loaded',
    weight: 3,
    onlyLlamaCpp: true,
    apply({ harms }, tab) {
      harms.removals.push(performance.now());
      void tab.callBriefly('callEngine', 'models/load', { id: BUILT_IN_MODEL_ID });
    },
  },
];
