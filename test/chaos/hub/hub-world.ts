import { ChaosBrowser } from '../chaos-browser.ts';
import { POCKET } from '../chaos-model.ts';
import type { AskedContext } from '../fault.ts';
import type { HarmLog } from '../judge/harm-log.ts';
import { questionsTo } from '../judge/questions.ts';
import type { RightAnswers } from '../judge/right-answers.ts';
import { StandingFaults } from '../standing-faults.ts';
import { Tabs } from '../tabs/tabs.ts';
import { Traffic, type RequestRecord } from '../tabs/traffic.ts';
import { partitionedProfile, type HubHost, type HubSites } from '../../support/sites/hub-sites.ts';
import { HubTab } from './hub-tab.ts';

/** The sites that use the hub, and how many tabs each has: two of the hub's domain, and a foreign one that a person allows. */
const SITES: readonly (readonly [host: HubHost, tabs: number])[] = [
  ['first', 2],
  ['second', 1],
  ['foreign', 1],
];

/** The APIs that a page without the chat app can ask, and that need no other server. */
const APIS: readonly string[] = [
  'chat completions',
  'responses',
  'background responses',
  'messages',
  'stored completions',
  'embeddings',
];

/**
 * Loads a page of a site again when its endpoint says that only this helps, as the chat page does: Chromium sometimes
 * sends its requests past the service worker. At most once a minute.
 */
const RELOAD_WHEN_REQUIRED = `addEventListener('load', () => {
  const look = () => {
    const { status } = tabserve;
    if (status.state !== 'failed' || status.error.code !== 'reload_required') return;
    if (Date.now() - Number(sessionStorage.getItem('tabserve-reloaded')) < 60000) return;
    sessionStorage.setItem('tabserve-reloaded', String(Date.now()));
    location.reload();
  };
  globalThis.tabserve?.addEventListener('statuschange', look);
  if (globalThis.tabserve) look();
});`;

/** The questions whose right answers are recorded once for all browsers. */
export const HUB_QUESTIONS = questionsTo(POCKET).filter(({ api }) => APIS.includes(api));

/** A browser in which several sites use the engine of one hub. */
export interface HubWorld {
  readonly browser: ChaosBrowser;
  readonly sites: HubSites;
  /** What the tabs of each site are asked. No two sites ask the same, so that an answer to the wrong site is noticed. */
  readonly contexts: readonly AskedContext[];
  readonly hub: HubTab;
  readonly standing: StandingFaults;
  readonly harms: HarmLog;
}

export interface HubWorldOptions {
  readonly sites: HubSites;
  readonly controlUrl: string;
  readonly harms: HarmLog;
  readonly answers: RightAnswers;
  readonly began: number;
  readonly record: (record: RequestRecord) => void;
  readonly lastFault: () => string;
  readonly report: (sentence: string) => void;
}

/** Starts a browser with partitioned storage, opens the sites and the page of the hub, and allows the foreign site. */
export async function openHubWorld(options: HubWorldOptions): Promise<HubWorld> {
  const { sites, harms, controlUrl, answers, report } = options;
  const { profile, flags } = partitionedProfile(sites, ['foreign']);
  const browser = await ChaosBrowser.start({ pageScript: RELOAD_WHEN_REQUIRED, profile, flags });
  const standing = new StandingFaults();
  const hub = new HubTab(browser, sites.url('hub'));
  // The answers of an engine of a site's own, which those of the hub must equal.
  const own = await browser.openTab(sites.url('unnamed'));
  const right = await answers.recordOnce(own, new URL(sites.url('unnamed')).origin);
  await own.close();
  const contexts = SITES.map(([host, count], place): AskedContext => {
    const url = `${sites.url(host)}?hub=${encodeURIComponent(sites.url('hub'))}`;
    const site = { url, controlUrl, online: true };
    const tabs = new Tabs(browser, site, count);
    const questions = HUB_QUESTIONS.filter((_, index) => index % SITES.length === place);
    const traffic = new Traffic({ ...options, browser, site, tabs, questions, right, harms });
    return { browser, site, model: POCKET, tabs, traffic, standing, harms, report };
  });
  for (const { tabs } of contexts) await tabs.openAll();
  return { browser, sites, contexts, hub, standing, harms };
}
