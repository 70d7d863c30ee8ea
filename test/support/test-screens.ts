import { expectAccessible } from './accessibility.ts';
import { expect, test } from './model-site.ts';
import { openScreen, OVERLAYS, SCREENS } from './screens.ts';
import { expectTabWalk } from './tab-walk.ts';

/** Makes the tests of all screens and overlays that need the engine, or of those that do not. */
export function testScreens({ needsEngine }: { readonly needsEngine: boolean }): void {
  for (const screen of SCREENS.filter((screen) => (screen.needsEngine ?? false) === needsEngine)) {
    test(`${screen.name}: axe finds nothing wrong, and the Tab key reaches everything`, async ({ page, models }) => {
      await openScreen(screen, page, models);
      await expectTabWalk(page, screen.name);
      await expectAccessible(page, screen.name);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        'wider than the screen',
      ).toBe(true);
      expect(
        await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight),
        'the whole page scrolls',
      ).toBe(true);
    });
  }

  for (const overlay of OVERLAYS.filter((overlay) => (overlay.needsEngine ?? false) === needsEngine)) {
    test(`${overlay.name}: opened, walked and left by keyboard, and nothing for axe to find`, async ({
      page,
      models,
    }) => {
      await openScreen(overlay, page, models);
      const opener = await page.evaluateHandle(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element;
      });
      for (const key of ['Enter', 'Space']) {
        await page.keyboard.press(key);
        await expect(page.getByRole('dialog', { name: overlay.label })).toBeVisible();
        if (key === 'Enter') {
          await expectTabWalk(page, overlay.name);
          await expectAccessible(page, overlay.name);
        }
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toBeHidden();
        await expect.poll(() => opener.evaluate((element) => element?.matches(':focus'))).toBe(true);
      }
    });
  }
}
