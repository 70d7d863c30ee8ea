import { builtInPackage, expect, test } from '../../support/sites/model-site.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { ModelsPage } from '../../support/pages/models-page.ts';
import { siteReady } from '../../support/pages/site-page.ts';

test('the privacy screen says that nothing was sent, and lists each request of a model download', async ({
  site,
  models,
}) => {
  await siteReady(site);
  await site.getByRole('link', { name: 'Privacy' }).click();
  await expect(site.getByText('The browser has recorded no request to another address.')).toBeVisible();
  await expect(site.getByText('could not be asked yet')).toBeHidden();

  models.server.add('/second/', builtInPackage());
  const manager = await ModelsPage.open(site);
  await manager.add('second', `${models.origin}/second/`);
  await manager.arrived('second');
  await site.getByRole('link', { name: 'Privacy' }).click();
  const list = site.getByRole('list', { name: 'What has left this origin' });
  for (const name of builtInPackage().keys()) await expect(list).toContainText(`${models.origin}/second/${name}`);
  await expect(site.getByText(/^\d+ requests to 1 host/)).toBeVisible();
});

test('the privacy screen shows the current policy, which the browser enforces', async ({ site, models }) => {
  await siteReady(site);
  await site.getByRole('link', { name: 'Privacy' }).click();
  const policy = site.getByRole('listitem').filter({ hasText: 'connect-src' });
  await expect(policy).toContainText(`connect-src 'self' https://huggingface.co`);
  await expect(policy).toContainText(models.origin);
  const blocked = await site.evaluate(
    () =>
      new Promise<string>((resolve) => {
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
        void fetch('https://elsewhere.test/').catch(() => undefined);
      }),
  );
  expect(blocked).toBe('connect-src');
});

test('deleting everything asks first, then removes caches, databases, localStorage and the service worker', async ({
  site,
}) => {
  await siteReady(site);
  await site.getByRole('link', { name: 'Privacy' }).click();
  await expect(site.getByRole('listitem').filter({ hasText: 'webllm/model' })).toContainText('Weights and tokenizers');
  await expect(site.getByRole('listitem').filter({ hasText: 'workbox-precache' })).toContainText('The page itself');
  await site.evaluate(() => localStorage.setItem('something', 'here'));

  await site.getByRole('button', { name: 'Delete everything' }).click();
  await expect(site.getByRole('button', { name: 'Keep', exact: true })).toBeFocused();
  await site.locator('wa-dialog[open]').getByRole('button', { name: 'Delete everything' }).click();
  await expect(site.getByRole('heading', { name: 'Everything has been deleted.' })).toBeVisible();
  // No page remains that would register the service worker again or open a database.
  await site.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    return new Promise((resolve) => setTimeout(resolve, 1000));
  });
  const left = await site.evaluate(async () => ({
    caches: await caches.keys(),
    databases: await indexedDB.databases(),
    local: localStorage.length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
  expect(left).toEqual({ caches: [], databases: [], local: 0, workers: 0 });

  await site.getByRole('link', { name: 'Start over' }).click();
  await siteReady(site);
});

test('titles of chats and searched words stay out of the history of the browser once the person says so', async ({
  site,
}) => {
  await siteReady(site);
  const chat = new ChatPage(site);
  await chat.ask('What is the capital of France?');
  await expect(site).toHaveTitle(/capital of France/);
  await site.getByRole('link', { name: 'Privacy' }).click();
  await expect(site.getByText('No page can delete them')).toBeVisible();
  await site.getByRole('checkbox', { name: 'keep titles of chats and searched words out of it' }).check();
  await chat.chatInList(/capital of France/).click();
  await expect(chat.questions).toHaveText(/capital of France/);
  await expect(site).toHaveTitle('Tabserve');
  await site.getByRole('searchbox').fill('capital');
  await chat.chatInList(/capital of France/).click();
  await expect(site).toHaveURL(/#\/chat\/[\w-]+\/[\w-]+\/$/);
  await site.reload();
  await expect(chat.questions).toHaveText(/capital of France/);
  await expect(site).toHaveTitle('Tabserve');
});
