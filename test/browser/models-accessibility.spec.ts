import { expectAccessible } from '../support/accessibility.ts';
import { builtInPackage, expect, SLOWLY, test } from '../support/model-site.ts';
import { ModelsPage } from '../support/models-page.ts';

test('models, developers’ corner and privacy are accessible in both colour schemes', async ({ site, models }) => {
  test.slow();
  models.server.add('/slow/', builtInPackage());
  models.server.bytesPerSecond = SLOWLY;
  const manager = await ModelsPage.open(site);
  await manager.add('slow', `${models.origin}/slow/`);
  await manager.add('gone', `${models.origin}/gone/`);
  await expect(manager.card('gone')).toContainText('answered 404');
  await manager.button('Pause the download of slow').click();
  await manager.button('Cancel the download of slow').click();
  // A few of the many equal cards stand for all.
  await site.getByRole('searchbox', { name: 'Search', exact: true }).fill('SmolLM2 360M');
  await expect(site.getByText('2 of 161 models')).toBeVisible();
  await expectAccessible(site, 'models');

  await site.getByRole('link', { name: 'For developers' }).click();
  await site.getByLabel('Name', { exact: true }).fill('notebook');
  await site.getByRole('button', { name: 'Make a key' }).click();
  await expect(site.getByRole('status', { name: 'The new key' })).toBeVisible();
  await expectAccessible(site, 'for developers');

  await site.getByRole('link', { name: 'Privacy' }).click();
  await expect(site.getByText("default-src 'none'")).toBeVisible();
  await site.getByRole('button', { name: 'Delete everything' }).click();
  await expectAccessible(site, 'privacy');
});
