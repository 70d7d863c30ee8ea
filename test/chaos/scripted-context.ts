import type { Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import type { ChaosContext } from './fault.ts';
import type { Answer } from './judge/apis/api.ts';
import { HarmLog } from './judge/harm-log.ts';
import { POCKET } from './chaos-model.ts';
import { questionsTo } from './judge/questions.ts';
import { Person } from './person/person.ts';
import { TextLedger } from './person/text-ledger.ts';
import { ScriptedBrowser, type CommandScript } from './scripted-browser.ts';
import { StandingFaults } from './standing-faults.ts';
import { Tabs } from './tabs/tabs.ts';
import { Traffic } from './tabs/traffic.ts';

const unused = () => Promise.resolve();
const ANSWER: Answer = {
  model: 'pocket',
  choices: [{ role: 'assistant', text: 'Yes.', finishReason: 'stop' }],
  usage: null,
};

/**
 * Three tabs of a {@link ScriptedBrowser}, and the other objects that faults act on. One question has a right answer.
 * @param workers The workers of the browser. Default: none.
 */
export async function contextOf(script: CommandScript, workers: readonly Target[] = []): Promise<ChaosContext> {
  const browser = new ScriptedBrowser(script, workers);
  const site = {
    url: 'http://localhost:1/',
    controlUrl: 'http://127.0.0.1:1/',
    online: true,
    goOffline() {},
    goOnline: unused,
    stall: () => () => {},
    upstream: { answering: 0, goAway: () => () => {} },
    publishNewBuild() {},
    close: unused,
  };
  const tabs = new Tabs(browser, site, 3);
  const harms = new HarmLog();
  const questions = questionsTo(POCKET);
  const right = new Map([[questions[0]!.name, ANSWER]]);
  const began = performance.now();
  const traffic = new Traffic({
    browser,
    site,
    tabs,
    questions,
    right,
    harms,
    began,
    record() {},
    lastFault: () => 'none',
  });
  await tabs.openAll();
  const ledger = new TextLedger();
  const person = new Person({ tabs, ledger, harms }, tabs.count, () => {});
  return {
    browser,
    site,
    model: POCKET,
    tabs,
    traffic,
    harms,
    ledger,
    person,
    standing: new StandingFaults(),
    report() {},
  };
}
