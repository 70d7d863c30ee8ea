import { expect, test as browserTest } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import { openSite } from '../../support/pages/site-page.ts';
import type * as documentsModule from '../in-page/documents.ts';

const TEXTS = {
  'whales.md': '# Whales\n\nThe blue whale is the largest animal. It lives in all oceans and eats krill.',
  'bread.txt':
    'Bread is baked from flour, water, salt and yeast. The oven of our bakery is heated at four in the morning.',
  'rules.txt': 'Guests may park in front of the house until ten. Invoice 2024-117 was paid on 3 May 2024.',
};

for (const [client, tags] of [
  ['openai 7', ' @core @firefox'],
  ['openai 6', ''],
] as const) {
  test(`${client} uploads files into a vector store, finds passages, asks about them, and deletes all${tags}`, async ({
    site,
  }) => {
    const documents = inPage<typeof documentsModule>(site, 'documents');
    const { store, ...filled } = await documents.fillStore(client, TEXTS);
    expect(filled).toEqual({ status: 'completed', completed: 3, model: 'pocket-embed' });
    const found = await documents.search(client, store, 'What does the blue whale eat?');
    expect(found[0]).toMatchObject({ filename: 'whales.md', text: expect.stringContaining('eats krill') });
    expect((await documents.search(client, store, 'Invoice 2024-117'))[0]).toMatchObject({ filename: 'rules.txt' });
    const asked = await documents.ask(client, store, 'When may guests park?');
    expect(asked.items).toEqual(['file_search_call', 'message']);
    expect(asked.results[0]).toMatchObject({ filename: 'rules.txt', text: expect.stringContaining('until ten') });
    const streamed = await documents.ask(client, store, 'When may guests park?', { stream: true });
    expect(streamed).toMatchObject({ text: asked.text, results: asked.results, citations: asked.citations });
    expect(streamed.events).toEqual(
      expect.arrayContaining([
        'response.file_search_call.in_progress',
        'response.file_search_call.searching',
        'response.file_search_call.completed',
      ]),
    );
    expect(await documents.deleteAll(client, store)).toEqual({ listed: [], stored: [] });
  });
}

browserTest(
  'a file whose indexing was interrupted by closing the last tab is indexed by the next one',
  async ({ page, context }) => {
    const parts = Array.from(
      { length: 120 },
      (_, part) => `# Part ${part}\n\nCode ${part * 7919} ${'is written here. '.repeat(40)}`,
    );
    await openSite(page);
    const begun = await inPage<typeof documentsModule>(page, 'documents').beginStore(parts.join('\n\n'));
    expect(begun.status).toBe('in_progress');
    await page.close();
    const next = await context.newPage();
    await openSite(next);
    const documents = inPage<typeof documentsModule>(next, 'documents');
    expect(await documents.awaitStore(begun.store)).toEqual({ completed: 1 });
    const [found] = await documents.search('openai 7', begun.store, `${118 * 7919}`);
    expect(found?.text).toContain(`Code ${118 * 7919} `);
  },
);
