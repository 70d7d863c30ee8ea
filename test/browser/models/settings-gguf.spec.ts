import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { ask, ModelsPage } from '../../support/pages/models-page.ts';
import { pageStatus, reachState } from '../../support/pages/site-page.ts';
import { tinyChatModel } from '../../support/samples/tiny-vision-model.ts';
import { expect, test } from '../../support/sites/model-site.ts';

test.use(WITHOUT_GPU);

test('the user sets how many questions a GGUF model answers at once, and that it is unloaded when unused', async ({
  site,
}) => {
  test.setTimeout(200_000);
  await reachState(site, 'ready');
  const models = await ModelsPage.open(site);
  const [chooser] = await Promise.all([site.waitForEvent('filechooser'), models.button('Choose a file…').click()]);
  const buffer = Buffer.from(await tinyChatModel().arrayBuffer());
  await chooser.setFiles({ name: 'tiny.gguf', mimeType: 'application/octet-stream', buffer });
  await site.getByRole('button', { name: /^Copy it here/ }).click();
  await models.arrived('tiny');
  expect(await ask(site, 'tiny', { question: 'hello' })).toMatchObject({ status: 200 });
  expect(await pageStatus(site)).not.toHaveProperty('parallel');

  const card = models.card('tiny');
  const atOnce = card.getByLabel('Questions at once');
  // 2 layers × 2 heads × 2 × 32 numbers × 2 bytes, for 512 tokens.
  await expect(atOnce.getByRole('option').nth(1)).toHaveText(/^2\s· 262\skB more memory$/);
  await atOnce.selectOption('2');
  await expect(atOnce).toHaveValue('2');
  const answers = await Promise.all(['one', 'two'].map((question) => ask(site, 'tiny', { question })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await pageStatus(site)).toMatchObject({ state: 'ready', model: 'tiny', parallel: 2 });

  await card.getByLabel('When unused').selectOption('is unloaded after each answer');
  expect(await ask(site, 'tiny', { question: 'three' })).toMatchObject({ status: 200 });
  await expect.poll(async () => (await pageStatus(site))?.state).toBe('idle');
  expect(await ask(site, 'tiny', { question: 'four' })).toMatchObject({ status: 200 });
});
