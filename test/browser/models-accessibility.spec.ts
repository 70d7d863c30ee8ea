import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { builtInPackage, expect, SLOWLY, test } from '../support/model-site.ts';
import { ModelsPage } from '../support/models-page.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on models, developers and privacy, ${colorScheme}`, async ({ site, models }) => {
    await site.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = async () => {
      // Added to the page's own realm by the debugger, past the policy that forbids other scripts.
      await site.addScriptTag({ path: AXE }).catch(() => undefined);
      return site.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
        const { violations } = await axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`);
      });
    };
    models.server.add('/slow/', builtInPackage());
    models.server.bytesPerSecond = SLOWLY;
    models.server.add('/gone/', new Map());
    const manager = await ModelsPage.open(site);
    await manager.add('slow', `${models.origin}/slow/`);
    await manager.add('gone', `${models.origin}/gone/`);
    await expect(manager.card('gone')).toContainText('answered 404');
    await manager.button('Cancel the download of slow').click();
    expect(await violations()).toEqual([]);

    await site.getByRole('link', { name: 'For developers' }).click();
    await site.getByLabel('Name', { exact: true }).fill('notebook');
    await site.getByRole('button', { name: 'Make a key' }).click();
    await expect(site.getByRole('status', { name: 'The new key' })).toBeVisible();
    expect(await violations()).toEqual([]);

    await site.getByRole('link', { name: 'Privacy' }).click();
    await expect(site.getByText("default-src 'none'")).toBeVisible();
    await site.getByRole('button', { name: 'Delete everything' }).click();
    expect(await violations()).toEqual([]);
  });
}
