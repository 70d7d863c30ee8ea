import { sleep, withTimeout } from '../../../src/shared/timeout.ts';
import { ChaosBrowser } from '../chaos-browser.ts';
import { POCKET } from '../chaos-model.ts';
import { ChaosSite } from '../chaos-site.ts';
import { FaultSequence } from '../fault-sequence.ts';
import { BROWSER_KILLED } from '../faults.ts';
import { plainContext } from '../plain-context.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { Tab } from '../tabs/tab.ts';
import type { Tabs } from '../tabs/tabs.ts';
import { checkDocuments, type CheckResult } from './check-documents.ts';
import { DocumentClient } from './document-client.ts';

/** Faults that only requests for answers notice, or that are such requests. */
const OTHER_FAULTS: readonly string[] = [
  'GPU process crashed',
  'a megabyte asked',
  'burst of requests',
  'database writes fail',
  'local storage full',
  'malformed request',
  'request left',
  'slow reader',
  'tab frozen while it streams',
  'upstream away',
];

/** Share of the rounds that end with the browser being killed. */
const KILLED = 0.15;

/** Milliseconds of work before the faults of a round, and before a browser is killed. */
const WORK = { shortest: 200, longest: 3000 };

/** Milliseconds for the requests of all clients to end after the faults are over. */
const END_TIME = 120_000;

/** Milliseconds for a page that is not stopped to evaluate an expression. */
const REACTION_TIME = 15_000;

export interface DocumentChaosOptions {
  readonly seed: number;
  readonly faults: number;
  readonly tabs: number;
  readonly sharedWorker: boolean;
  /** Names of the faults to choose from; empty for all. */
  readonly only: readonly string[];
  /** Folder of the site, with an engine whose vectors cost nothing. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly report: (sentence: string) => void;
}

export interface DocumentChaosResult {
  readonly faults: number;
  readonly requests: Readonly<Record<string, number>>;
  readonly checks: number;
  /** Sums over all checks. */
  readonly files: number;
  readonly indexed: number;
  readonly repeated: number;
  /** How many tabs the browser did not load: not even an expression was evaluated in them. */
  readonly browserDefects: number;
  readonly defects: readonly string[];
}

/** Lets faults happen while clients use files and vector stores, and checks after each row of faults that all is whole. */
export async function runDocumentChaos(options: DocumentChaosOptions): Promise<DocumentChaosResult> {
  const { seed, tabs: count, sharedWorker, only, folder, signal, report } = options;
  const random = new SeededRandom(seed);
  const began = performance.now();
  const site = await ChaosSite.start(folder);
  const { origin } = new URL(site.url);
  const withoutSharedWorker = `if (location.origin === ${JSON.stringify(origin)}) delete globalThis.SharedWorker;`;
  const pageScript = sharedWorker ? '' : withoutSharedWorker;
  const sequence = new FaultSequence({ only, without: OTHER_FAULTS, model: POCKET, sharedWorker, signal }, random, {
    now: () => performance.now() - began,
    tell: (sentence) => report(`  ${sentence}`),
  });
  let browser = await ChaosBrowser.start({ pageScript });
  let context = plainContext({ browser, site }, { tabs: count });
  await context.tabs.openAll();
  const clients = Array.from({ length: count }, (_, place) => new DocumentClient(context.tabs, place, origin));
  const checks: CheckResult[] = [];
  const defects: string[] = [];
  let browserDefects = 0;
  try {
    while (sequence.records.length < options.faults && !signal.aborted) {
      const round = random.fork(`round ${sequence.records.length}`);
      const end = new AbortController();
      const working = clients.map((client, place) => client.work(round.fork(`client ${place}`), end.signal));
      await sleep(round.integer(WORK.shortest, WORK.longest));
      const names = [...(await sequence.applyVolley(context, options.faults))];
      const cleared = context.harms.clearings.length > 0;
      let mayFail = context.harms.fullStores.length > 0;
      if (round.chance(KILLED)) {
        await sleep(round.integer(WORK.shortest, WORK.longest));
        sequence.note(BROWSER_KILLED);
        names.push(BROWSER_KILLED);
        await context.standing.liftAll('site');
        end.abort();
        const profile = await browser.kill();
        await Promise.all(working);
        browser = await ChaosBrowser.start({ pageScript, profile });
        context = plainContext({ browser, site }, { tabs: count });
        for (const client of clients) client.tabs = context.tabs;
      }
      end.abort();
      for (const kind of ['site', 'tab'] as const) await context.standing.liftAll(kind);
      await site.goOnline();
      await context.tabs.openAll();
      const ended = () =>
        withTimeout(
          END_TIME,
          Promise.all(working).then(() => 'ended'),
          'late',
        );
      let isLate = (await ended()) === 'late';
      const dead = isLate ? await reopenDeadTabs(context.tabs) : 0;
      if (dead > 0) {
        browserDefects += dead;
        report(`The browser did not load ${dead} of the tabs.`);
        isLate = (await ended()) === 'late';
      }
      if (isLate) {
        const running = clients.flatMap(({ running }) => running ?? []);
        const states = context.tabs.all.map(({ number, state }) => `${number} ${state}`);
        const defect = `No end of ${running.join('; ')}. Tabs: ${states.join(', ')}.`;
        defects.push(`After ${names.join(', ')}: ${defect}`);
        report(`DEFECT ${defect}`);
      }
      if (cleared) for (const { ledger } of clients) ledger.noteClearing();
      mayFail ||= cleared;
      const tab = context.tabs.open[0];
      if (tab === undefined) throw new Error('No tab is open.');
      const ledgers = clients.map(({ ledger }) => ledger);
      const checked = await checkDocuments({ tab, origin, ledgers, mayFail });
      checks.push(checked);
      for (const defect of checked.defects) defects.push(`After ${names.join(', ')}: ${defect}`);
      const { files, stores, indexed } = checked;
      report(
        `${sequence.records.length} faults (${names.join(', ')}): ${files} files, ${stores} stores, ${indexed} indexed`,
      );
      for (const defect of checked.defects) report(`DEFECT ${defect}`);
      context.harms.clearings.length = 0;
      context.harms.fullStores.length = 0;
    }
  } finally {
    await browser.close();
    await site.close();
  }
  const sum = (of: (check: CheckResult) => number) => checks.reduce((total, check) => total + of(check), 0);
  const requests = { done: 0, refused: 0, unsure: 0 };
  for (const { outcomes } of clients)
    for (const name of ['done', 'refused', 'unsure'] as const) requests[name] += outcomes[name];
  return {
    faults: sequence.records.length,
    requests,
    checks: checks.length,
    files: sum(({ files }) => files),
    indexed: sum(({ indexed }) => indexed),
    repeated: sum(({ repeated }) => repeated),
    browserDefects,
    defects,
  };
}

/** Opens tabs anew whose pages do not react. Returns how many these were. */
async function reopenDeadTabs(tabs: Tabs): Promise<number> {
  const dead: Tab[] = [];
  for (const tab of tabs.open) {
    if ((await withTimeout(REACTION_TIME, tab.evaluate('1'), null)) === null) dead.push(tab);
  }
  await Promise.allSettled(dead.map((tab) => tab.close()));
  await tabs.openAll();
  return dead.length;
}
