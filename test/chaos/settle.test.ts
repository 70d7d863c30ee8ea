import { expect, test } from 'vitest';
import type { Answer } from './judge/answer.ts';
import type { ChaosContext } from './faults.ts';
import { HarmLog } from './judge/harm-log.ts';
import { QUESTIONS } from './judge/questions.ts';
import { ScriptedBrowser, type CommandScript } from './scripted-browser.ts';
import { SeededRandom } from './seeded-random.ts';
import { settle } from './settle.ts';
import { StandingFaults } from './standing-faults.ts';
import { Tabs } from './tabs/tabs.ts';
import { Traffic } from './tabs/traffic.ts';

const unused = () => Promise.resolve();
const never = new Promise(() => {});
const ANSWER: Answer = { choices: [{ text: 'Yes.', finishReason: 'stop' }], usage: null };

/** What a page hands back that was answered rightly. */
function rightReply(expression: string): unknown {
  const stream = expression.includes('\\"stream\\":true');
  const says = { content: 'Yes.' };
  const choice = { index: 0, finish_reason: 'stop', ...(stream ? { delta: says } : { message: says }) };
  const document = JSON.stringify({ choices: [choice] });
  return {
    stage: 'whole',
    status: 200,
    contentType: stream ? 'text/event-stream' : 'application/json',
    retryAfter: null,
    body: stream ? `data: ${document}\n\ndata: [DONE]\n\n` : document,
    failure: null,
    controlled: true,
    bypassed: false,
  };
}

async function contextOf(script: CommandScript): Promise<ChaosContext> {
  const browser = new ScriptedBrowser(script);
  const site = {
    url: 'http://localhost:1/',
    controlUrl: 'http://127.0.0.1:1/',
    online: true,
    goOffline() {},
    goOnline: unused,
    publishNewBuild() {},
    close: unused,
  };
  const tabs = new Tabs(browser, site, 3);
  const harms = new HarmLog();
  const right = new Map([[QUESTIONS[0]!.name, ANSWER]]);
  const began = performance.now();
  const traffic = new Traffic({ browser, site, tabs, right, harms, began, record() {}, lastFault: () => 'none' });
  await tabs.openAll();
  return { browser, site, tabs, traffic, harms, standing: new StandingFaults(), report() {} };
}

test('a tab whose process ends while others are judged is loaded again, and is no wedge', async () => {
  const loads = [0, 0, 0];
  const context: ChaosContext = await contextOf((method, { expression }, tab) => {
    const place = tab!.number - 1;
    if (method === 'Page.navigate') loads[place]!++;
    if (method !== 'Runtime.evaluate') return {};
    // The last tab's process ends with the first question, and one page in it with the process.
    if (place === 0 && loads[2] === 1) for (const lost of context.tabs.all.slice(1)) lost.noteCrash();
    return tab!.state === 'crashed' ? never : { result: { value: rightReply(String(expression)) } };
  });
  expect(await settle(context, new SeededRandom(1))).toBeNull();
  expect(loads).toEqual([1, 2, 2]);
});
