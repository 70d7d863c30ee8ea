import { sleep } from '../../src/shared/timeout.ts';
import type { ChaosContext } from './fault.ts';
import { STORING_TIME } from './person/text-ledger.ts';
import { awaitQuiet } from './recovery/await-quiet.ts';
import type { ProcessorClock } from './recovery/processor-clock.ts';

/** How often a page may ask for the same stream within twenty seconds, while its connections break. */
const MOST_REPEATS = 9;

/**
 * Checks, once every tab works again and nobody asks any more, that the browser becomes idle, that no page has
 * asked in vain again and again, that no chat still waits for an answer, and that everything a person has written is still there.
 * @returns a sentence for each failure.
 */
export async function checkCalm(context: ChaosContext, clock: ProcessorClock): Promise<readonly string[]> {
  const { tabs } = context;
  const countRequests = async () => {
    const counts = await Promise.all(tabs.open.map((tab) => tab.callBriefly('requestsSent')));
    return counts.reduce((sum: number, count) => sum + (count ?? 0), 0);
  };
  const unquiet = await awaitQuiet(clock, countRequests);
  const views = await Promise.all(tabs.open.map(async (tab) => ({ tab, view: await tab.callBriefly('chatView') })));
  const waiting = views.filter(({ view }) => view?.answering).map(({ tab }) => tab.number);
  const repeats = await Promise.all(tabs.open.map(async (tab) => (await tab.callBriefly('mostRepeats')) ?? 0));
  return [
    ...repeats
      .filter((count) => count > MOST_REPEATS)
      .map((count) => `A page asked for the same answer ${count} times within twenty seconds.`),
    ...(unquiet === null ? [] : [unquiet]),
    ...(waiting.length === 0 ? [] : [`The chats of the tabs ${waiting.join(', ')} still wait for an answer.`]),
    ...(context.site.upstream.answering === 0 ? [] : ['The upstream still writes an answer that nobody reads.']),
    ...(await findLostTexts(context)),
  ];
}

async function findLostTexts({ harms, ledger, tabs }: ChaosContext): Promise<readonly string[]> {
  // Until the browser stores again, a text may be in the memory of a page that shows another chat.
  const storing = Math.max(0, ...harms.fullStores.map(({ end }) => end)) + STORING_TIME;
  await sleep(Math.max(0, storing - performance.now()));
  let missing = ledger.owed(harms);
  let asked = 0;
  for (const tab of tabs.open) {
    const notHere = await tab.callBriefly(
      'marksNotHere',
      missing.map(({ mark }) => mark),
    );
    if (notHere === null) continue;
    asked++;
    missing = missing.filter(({ mark }) => notHere.includes(mark));
  }
  if (asked === 0) return [];
  return missing.map((text) => {
    ledger.noteLost(text);
    const { mark, action, tab, time } = text;
    const age = ((performance.now() - time) / 1000).toFixed(1);
    return `A text is lost, ${mark}: tab ${tab.number}, "${action}" ${age} s ago.`;
  });
}
