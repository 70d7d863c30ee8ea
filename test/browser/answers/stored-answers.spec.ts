import { expect, type BrowserContext, type Page } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { ServiceWorkerControl } from '../../support/browsers/service-workers.ts';
import { test } from '../../support/pages/shared-context.ts';
import { openSite, siteReady } from '../../support/pages/site-page.ts';
import type * as requestsModule from '../in-page/requests.ts';
import type * as responsesModule from '../in-page/responses.ts';

type Requests = typeof requestsModule;
type Responses = typeof responsesModule;

/** Number of interrupted answers: 6, or the value of the environment variable `STORED_ANSWERS`. */
const ROUNDS = Number(process.env['STORED_ANSWERS'] ?? 6);

/** Maximum milliseconds of all rounds together. */
const MAX_TIME = 120_000 + ROUNDS * 30_000;

const QUESTIONS = ['Tell me a story about a dog.', 'What is a service worker?', 'How many days has a week?'].map(
  (text) => ({ text, endless: true, maxTokens: 60 }),
);

/** Faults of the requesting tab in the middle of an answer. @returns the tab for the next request. */
const FAULTS: readonly ((asking: Page) => Promise<Page>)[] = [
  async (asking) => {
    const serviceWorker = await ServiceWorkerControl.attach(asking);
    await serviceWorker.stop();
    return asking;
  },
  async (asking) => {
    await asking.reload();
    await siteReady(asking);
    return asking;
  },
  async (asking) => {
    const next = await openTab(asking.context());
    await asking.close();
    return next;
  },
];

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await openSite(page);
  return page;
}

test(`after ${ROUNDS} interrupted streams, each stored answer can be retrieved whole`, async ({ context, site }) => {
  test.setTimeout(MAX_TIME);
  let asking = await openTab(context);
  const reader = inPage<Requests>(site, 'requests');
  const whole: string[] = [];
  for (const question of QUESTIONS) whole.push(await reader.ask(question));

  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const requests = inPage<Requests>(asking, 'requests');
    const name = `round ${round}`;
    // Every fault meets every question, each time after another number of pieces.
    const index = Math.floor(round / FAULTS.length) % QUESTIONS.length;
    await requests.begin(name, { ...QUESTIONS[index]!, store: true, stream: true });
    await requests.readPieces(name, 1 + ((round * 7) % 40));
    const id = await requests.completionId(name);
    asking = await FAULTS[round % FAULTS.length]!(asking);
    expect(await reader.retrieve(id), name).toEqual({ status: 200, content: whole[index] });
    ids.push(id);
  }
  expect(await reader.listStored()).toEqual(ids.slice(0, 100));
});

test(`${ROUNDS} interrupted responses each resume after the last event that was received`, async ({
  context,
  site,
}) => {
  test.setTimeout(MAX_TIME);
  let asking = await openTab(context);
  const reader = inPage<Responses>(site, 'responses');
  const input = 'Is a week longer than a day?';
  const whole = await reader.begin(input, Infinity);
  const text = whole.events.map((event) => event.text).join('');
  expect(await reader.retrieve(whole.id)).toEqual({ status: 'completed', text });

  for (let round = 0; round < ROUNDS; round++) {
    const count = 1 + ((round * 7) % (whole.events.length - 10));
    const { id, events } = await inPage<Responses>(asking, 'responses').begin(input, count);
    asking = await FAULTS[round % FAULTS.length]!(asking);
    const rest = await reader.readOn(id, events.at(-1)!.number);
    const together = [...events, ...rest];
    expect(
      together.map(({ number }) => number),
      `round ${round}: without gap or repetition`,
    ).toEqual(together.map((_, index) => index));
    expect(together.map((event) => event.text).join(''), `round ${round}: whole`).toBe(text);
    expect(together.at(-1)!.type).toBe('response.completed');
    expect(await reader.retrieve(id)).toEqual({ status: 'completed', text });
  }
});

test('cancelling a stream ends its stored answer, and pages of an older build can still open the database', async ({
  page,
}) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  await requests.begin('left', { ...QUESTIONS[0]!, maxTokens: 1500, store: true, stream: true });
  await requests.readPieces('left', 3);
  const id = await requests.completionId('left');
  await requests.abort('left');
  // A moment after an abort, the service worker cancels the answer if its tab still exists and nobody reads it. Its turn is
  // over before this one is answered.
  expect(await requests.ask({ ...QUESTIONS[2]!, maxTokens: 1 })).not.toBe('');
  expect(await requests.retrieve(id)).toEqual({ status: 410, content: 'answer_cancelled' });
  const databases = await page.evaluate(() => indexedDB.databases());
  expect(databases).toContainEqual({ name: 'tabserve', version: 1 });
});

test('the privacy screen lists the answers that programs stored, with their questions, and deletes them', async ({
  page,
}) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  for (const text of ['How many days has a week?', 'What is a service worker?'])
    await requests.ask({ text, maxTokens: 4, store: true });
  await page.getByRole('link', { name: 'Privacy' }).click();
  const list = page.getByRole('list', { name: 'Stored answers' });
  await expect(list.getByRole('listitem')).toContainText([
    /What is a service/,
    /How many days.*chat completion · pocket/s,
  ]);
  await expect(page.getByText(/^2 answers, about \d/)).toBeVisible();
  const dialog = page.locator('wa-dialog[open]');
  await list.getByRole('button').first().click();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await list.getByRole('button').first().click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(list.getByRole('listitem')).toHaveText([/How many days/]);
  await page.getByRole('button', { name: 'Delete stored answers' }).click();
  await page.locator('wa-dialog[open]').getByRole('button', { name: 'Delete stored answers' }).click();
  await expect(page.getByText('None are stored.')).toBeVisible();
  expect(await requests.listStored()).toEqual([]);
});
