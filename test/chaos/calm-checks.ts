import { sleep } from '../../src/shared/timeout.ts';
import type { ChaosContext } from './fault.ts';
import { STORING_TIME, type WrittenText } from './person/text-ledger.ts';
import { awaitQuiet } from './recovery/await-quiet.ts';
import type { ProcessorClock } from './recovery/processor-clock.ts';
import type { Tab } from './tabs/tab.ts';

/** How often a page may ask for the same stream within twenty seconds, while its connections break. */
const MOST_REPEATS = 9;

/** Milliseconds after which an open page has stored what it could not at first: its database is opened again after ten seconds. */
const LATEST_WRITE = 15_000;

/** Milliseconds within which a page has asked again for an answer whose request the browser has lost: a minute, and its time. */
const ASKS_AGAIN = 75_000;

/** Milliseconds in which a model on the processor may write the answers of chats that were left. */
const LEFT_CHATS = 180_000;

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
  // First, because a chat sends its queue of questions one after the other.
  const waiting = await waitingChats(context);
  await awaitLeftChats(context);
  const unquiet = await awaitQuiet(clock, countRequests);
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

/** Returns the numbers of the tabs whose chats wait for an answer, after the time in which a page asks for it again. */
async function waitingChats({ tabs }: ChaosContext): Promise<readonly number[]> {
  const end = performance.now() + ASKS_AGAIN;
  for (;;) {
    const views = await Promise.all(tabs.open.map(async (tab) => ({ tab, view: await tab.callBriefly('chatView') })));
    const waiting = views.filter(({ view }) => view?.answering).map(({ tab }) => tab.number);
    if (waiting.length === 0 || performance.now() > end) return waiting;
    await sleep(1000);
  }
}

/** Waits for the answers of chats that were left, which a slow model may write for minutes. */
async function awaitLeftChats({ tabs, report }: ChaosContext): Promise<void> {
  const end = performance.now() + LEFT_CHATS;
  for (;;) {
    const counts = await Promise.all(tabs.open.map((tab) => tab.callBriefly('answersWritten')));
    const written = Math.max(0, ...counts.map((count) => count ?? 0));
    if (written === 0) return;
    if (performance.now() > end) return report(`${written} answers of chats are still being written.`);
    await sleep(1000);
  }
}

/**
 * Looks for everything that persons have written. What is not found is looked for again until it is old enough: a file of an
 * open page is only in its memory while the page's database fails.
 */
async function findLostTexts({ harms, ledger, report, tabs }: ChaosContext): Promise<readonly string[]> {
  // Until the browser stores again, a text may be in the memory of a page that shows another chat.
  const storing = Math.max(0, ...harms.fullStores.map(({ end }) => end)) + STORING_TIME;
  await sleep(Math.max(0, storing - performance.now()));
  let missing = (await notFound(tabs.open, ledger.owed(harms))) ?? [];
  const late = new Set(missing);
  while (missing.some(({ time }) => performance.now() - time < LATEST_WRITE)) {
    await sleep(1000);
    missing = (await notFound(tabs.open, missing)) ?? missing;
  }
  for (const text of late) if (!missing.includes(text)) report(`A text was stored late, ${describe(text)}.`);
  for (const text of missing) ledger.noteLost(text);
  return missing.map((text) => `A text is lost, ${describe(text)}.`);
}

/** Returns the texts that none of the tabs finds; null if no tab answers. */
async function notFound(tabs: readonly Tab[], texts: readonly WrittenText[]): Promise<readonly WrittenText[] | null> {
  let missing = texts;
  let asked = 0;
  for (const tab of tabs) {
    const marks = missing.map(({ mark }) => mark);
    const notHere = await tab.callBriefly('marksNotHere', marks);
    if (notHere === null) continue;
    asked++;
    missing = missing.filter(({ mark }) => notHere.includes(mark));
  }
  return asked === 0 ? null : missing;
}

function describe({ action, mark, tab, time }: WrittenText): string {
  return `${mark}: tab ${tab.number}, "${action}" ${((performance.now() - time) / 1000).toFixed(1)} s ago`;
}
