import { expect } from '@playwright/test';
import { expectAccessible } from '../../support/pages/accessibility.ts';
import { openScreen, OVERLAYS, SCREENS } from '../../support/pages/screens.ts';
import { expectTabKeyWalk } from '../../support/pages/tab-key-walk.ts';
import { test } from '../../support/pages/shared-gallery.ts';

// axe examines each screen three times: light, dark and in forced colours.
test.setTimeout(300_000);

/** The screens with the most content, on which the core test run examines accessibility. */
const CORE = new Set(['a chat with every kind of answer', 'models', 'the settings of a chat']);
const tag = (name: string): string => (CORE.has(name) ? ' @core' : '');

for (const screen of SCREENS) {
  test(`${screen.name}: axe finds no violation, and the Tab key reaches every control${tag(screen.name)}`, async ({
    page,
  }) => {
    await openScreen(screen, page);
    await expectTabKeyWalk(page, screen.name);
    await expectAccessible(page, screen.name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the screen').toBe(
      true,
    );
    expect(
      await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight),
      'the whole page scrolls',
    ).toBe(true);
  });
}

for (const overlay of OVERLAYS) {
  test(`${overlay.name}: it opens, works and closes by keyboard, and axe finds no violation${tag(overlay.name)}`, async ({
    page,
  }) => {
    await openScreen(overlay, page);
    const opener = await page.evaluateHandle(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element;
    });
    const { keys = ['Enter', 'Space'] } = overlay;
    for (const key of keys) {
      await page.keyboard.press(key);
      if (overlay.item !== undefined) {
        await expect(page.getByRole('menuitem').first()).toBeFocused();
        await page.keyboard.press('End');
        await expect(page.getByRole('menuitem', { name: overlay.item })).toBeFocused();
        await page.keyboard.press(key);
      }
      const dialog = page.getByRole('dialog', { name: overlay.label });
      await expect(dialog).toBeVisible();
      // Waits until the dialog has stopped sliding in.
      await (await dialog.elementHandle())!.waitForElementState('stable');
      if (key === keys[0]) {
        await expectTabKeyWalk(page, overlay.name);
        // The page below it is inert, and is examined as a screen.
        await expectAccessible(page, overlay.name, 'dialog');
      }
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect.poll(() => opener.evaluate((element) => element?.matches(':focus'))).toBe(true);
    }
  });
}
