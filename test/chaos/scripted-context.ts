import type { Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import type { ChaosContext } from './fault.ts';
import type { Answer } from './judge/apis/api.ts';
import { POCKET } from './chaos-model.ts';
import { questionsTo } from './judge/questions.ts';
import { plainContext } from './plain-context.ts';
import { ScriptedBrowser, type CommandScript } from './scripted-browser.ts';

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
  const questions = questionsTo(POCKET);
  const right = new Map([[questions[0]!.name, ANSWER]]);
  const context = plainContext({ browser, site }, { tabs: 3, questions, right, persons: 3 });
  await context.tabs.openAll();
  return context;
}
