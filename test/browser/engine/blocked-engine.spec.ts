import { builtInPackage, expect, test } from '../../support/sites/model-site.ts';
import { ask, ModelsPage, usableModels } from '../../support/pages/models-page.ts';
import { pageStatus, siteReady } from '../../support/pages/site-page.ts';

/**
 * A WebAssembly module whose start function is an endless loop, which blocks the thread that instantiates it. Its
 * sections: header, one type without parameters, one function of it, the number of the start function, its code.
 */
const ENDLESS_LIBRARY = Uint8Array.from(
  ['0061736d01000000', '010401600000', '03020100', '080100', '0a0901070003400c000b0b'].flatMap((section) => [
    ...Buffer.from(section, 'hex'),
  ]),
);

// An unresponsive engine is abandoned after half a minute. Meanwhile it takes CPU time from the simulated GPU.
test.setTimeout(240_000);

test('a model library that never returns blocks tabs for a limited time, and its model can be deleted', async ({
  site,
  models,
  context,
}) => {
  models.server.add('/endless/', new Map([...builtInPackage(), ['pocket.wasm', ENDLESS_LIBRARY]]));
  await siteReady(site);
  const answer = await ask(site, 'pocket');
  expect(answer.status).toBe(200);
  const manager = await ModelsPage.open(site);
  await manager.add('endless', `${models.origin}/endless/`);
  await manager.arrived('endless');
  const other = await context.newPage();
  await other.goto(models.url);
  await siteReady(other);

  await manager.button('Load endless').click();
  await expect.poll(() => pageStatus(other)).toMatchObject({ state: 'loading', model: 'endless' });
  const late = await context.newPage();
  await late.goto(models.url);
  for (const tab of [site, other, late]) {
    await expect.poll(() => ask(tab, 'pocket'), { timeout: 90_000 }).toEqual(answer);
  }

  await manager.button('Delete endless').click();
  await manager.confirm();
  await expect(manager.card('endless')).toBeHidden();
  expect(await usableModels(late)).toEqual(['pocket', 'pocket-embed']);
});
