import { expect, type Locator, type Page } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

function style(element: Locator, property: string, pseudo?: string): Promise<string> {
  return element.evaluate(
    (element, [property, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(property!),
    [property, pseudo] as const,
  );
}

async function bottom(element: Locator): Promise<number> {
  const { y, height } = (await element.boundingBox())!;
  return y + height;
}

async function open(page: Page, specimen: string, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await openSpecimen(page, specimen);
}

/** Resizes the window, and waits until the page has the new layout. Firefox computes it a moment later. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction((width) => innerWidth === width, width);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}

test('a suggested first question is reachable without scrolling, on a small phone and on a zoomed page', async ({
  page,
}) => {
  await open(page, 'chat-app/empty', 320, 640);
  const question = page.getByRole('button', { name: 'What is a service worker?' });
  await expect(question).toBeInViewport({ ratio: 1 });
  // The size of a 1280 × 720 window at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 360 });
  await expect(question).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
});

test('a question of any length stands beside its buttons; a long one is folded and can be unfolded', async ({
  page,
}) => {
  await open(page, 'question-message', 1200, 800);
  const long = page.locator('#long question-message');
  const [tab, actions] = [long.locator('.tab'), long.locator('.actions')];
  const [tabBox, actionsBox] = [(await tab.boundingBox())!, (await actions.boundingBox())!];
  expect(actionsBox.x).toBeGreaterThan(tabBox.x + tabBox.width);
  expect(actionsBox.y + actionsBox.height).toBeLessThanOrEqual(tabBox.y + tabBox.height + 3);
  expect(Number(await style(long.locator('.text'), 'font-weight'))).toBe(400);
  await long.getByRole('button', { name: 'Show all of it' }).click();
  expect((await tab.boundingBox())!.height).toBeGreaterThan(tabBox.height + 50);
  await long.getByRole('button', { name: 'Show less' }).click();
  expect((await tab.boundingBox())!.height).toBe(tabBox.height);
  // Cancelling the edit returns the focus to the button that began it.
  const edit = long.getByRole('button', { name: 'Edit the question' });
  await edit.press('Enter');
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();
});

test('lists, quotes and tables in right-to-left text have their numbers, bars and columns on the right @firefox', async ({
  page,
}) => {
  await open(page, 'markdown-text/right-to-left', 900, 800);
  const list = page.locator('markdown-text li', { hasText: /\p{Script=Arabic}/u }).first();
  expect(await style(list, 'direction')).toBe('rtl');
  expect(await style(list.locator('xpath=..'), 'direction')).toBe('rtl');
  expect(Number.parseFloat(await style(list.locator('xpath=..'), 'padding-right'))).toBeGreaterThan(10);
  for (const line of ['li', 'td']) {
    const other = page.locator(`markdown-text [dir=rtl] ${line}`, { hasText: 'Latin' }).first();
    expect(await style(other, 'text-align'), line).toBe('right');
  }
  // On the same page, left-to-right text keeps its direction.
  expect(await style(page.locator('markdown-text li', { hasText: 'a list' }).first(), 'direction')).toBe('ltr');
});

test('a dismissed prompt moves the focus to the main area, and a disabled Send button stays focusable @firefox', async ({
  page,
}) => {
  await open(page, 'chat-app/failed', 1200, 800);
  await page.getByRole('button', { name: 'Later' }).press('Enter');
  await expect(page.getByText('A new version of this page is available.')).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();

  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('textbox', { name: 'Your question' }).fill('Why?');
  await expect(send).toHaveAttribute('aria-disabled', 'false');
  await page.getByRole('textbox', { name: 'Your question' }).fill('  ');
  await expect(send).toHaveAttribute('aria-disabled', 'true');
});

test('a growing text shows its cursor after the last word', async ({ page }) => {
  await open(page, 'answer-message/streaming', 900, 600);
  const growing = page.locator('answer-message markdown-text').last();
  const ends = await growing.evaluate(
    (element) =>
      [...element.shadowRoot!.querySelectorAll('*')].filter((one) => getComputedStyle(one, '::after').width === '8px')
        .length,
  );
  expect(ends).toBe(1);
  await expect(page.locator('answer-message .wait')).toHaveCount(0);
});

test('in forced colours the current chat and the ready light can still be recognised', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, 'chat-app/chat', 1200, 800);
  expect(await style(page.locator('conversation-item[current]'), 'outline-style')).toBe('solid');
  expect(await style(page.locator('offline-badge .ready .light'), 'forced-color-adjust')).toBe('none');
});

test('a chat has one header bar: with its model beside the list, with its title on a phone', async ({ page }) => {
  await open(page, 'chat-app/chat', 1200, 800);
  const header = page.locator('conversation-header header');
  expect((await header.boundingBox())!.height).toBeGreaterThan(40);
  await expect(header.locator('.model')).toHaveText('Pocket');
  await expect(page.getByRole('button', { name: 'Export this chat as Markdown' })).toBeVisible();
  // The tokens of the chat are shown once: in the header or, on a phone, in the composer.
  const meter = page.getByRole('button', { name: /tokens that this model can take in at once/ });
  const barBox = (await header.boundingBox())!;
  const isInBar = async () => (await meter.boundingBox())!.y < barBox.y + barBox.height;
  await expect(meter).toHaveCount(1);
  expect(await isInBar()).toBe(true);
  await page.setViewportSize({ width: 390, height: 780 });
  await expect(page.locator('message-composer context-meter')).toHaveCount(1);
  await expect(meter).toHaveCount(1);
  expect(await isInBar()).toBe(false);
  expect(await style(header, 'position')).toBe('absolute');
  await expect(page.locator('chat-app .bar .title')).toHaveText(
    await page.getByRole('heading', { level: 1 }).innerText(),
  );
  // Only one bar is above the messages.
  expect((await page.getByRole('region', { name: 'Conversation' }).boundingBox())!.y).toBeLessThan(60);
});

test('the action that deletes a message is in its menu, set apart from the others', async ({ page }) => {
  await open(page, 'chat-app/chat', 1200, 800);
  for (const message of [page.locator('question-message').last(), page.locator('answer-message').last()]) {
    await message.hover();
    await expect(message.getByRole('button', { name: 'Delete from here' })).toHaveCount(0);
    await message.getByRole('button', { name: 'More actions' }).click();
    const items = message.locator('wa-dropdown').locator('wa-dropdown-item, hr');
    await expect(items.last()).toContainText('Delete from here');
    expect(await items.evaluateAll((all) => all.at(-2)?.localName)).toBe('hr');
    await page.keyboard.press('Escape');
  }
});

test('the Tab key visits the buttons of a message in their visual order', async ({ page }) => {
  for (const specimen of ['answer-message/with-branches', 'question-message/with-branches']) {
    await open(page, specimen, 1200, 800);
    const places: number[] = [];
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      const place = await page.evaluate(() => {
        let focused = document.activeElement;
        while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
        return focused instanceof HTMLButtonElement ? focused.getBoundingClientRect().left : null;
      });
      if (place === null || place === places[0]) break;
      places.push(place);
    }
    expect(places.length, specimen).toBeGreaterThan(3);
    expect(places, specimen).toEqual(places.toSorted((a, b) => a - b));
  }
});

test('a table that is wider than a phone scrolls within itself, also with the keyboard @firefox', async ({ page }) => {
  await open(page, 'answer-message/wide', 390, 780);
  const table = page.getByRole('group', { name: 'Table' });
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 780 });
    expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    const { scrolls, isOnScreen } = await table.evaluate((frame) => {
      const { left, right } = frame.getBoundingClientRect();
      frame.scrollLeft = 0;
      return { scrolls: frame.scrollWidth - frame.clientWidth, isOnScreen: left >= 0 && right <= innerWidth };
    });
    expect(scrolls).toBeGreaterThan(100);
    expect(isOnScreen).toBe(true);
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => table.evaluate((frame) => frame.scrollLeft)).toBeGreaterThan(0);
  }
});

for (const language of ['en', 'de']) {
  test(`in ${language} each entry of the side bar takes one line, and the line below the field is not cut on a phone`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openSpecimen(page, 'chat-app/chat', { language });
    const entries = page.locator('side-bar .place, side-bar app-menu button');
    const heights = await entries.evaluateAll((all) => all.map((entry) => entry.getBoundingClientRect().height));
    expect(heights).toHaveLength(5);
    expect(new Set(heights).size).toBe(1);

    await page.setViewportSize({ width: 390, height: 780 });
    await openSpecimen(page, 'message-composer', { language });
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 780 });
      for (const state of ['unsupported', 'elsewhere', 'elsewhere-if-needed']) {
        const hint = page.locator(`#${state} message-composer .hint > span`);
        expect(await hint.evaluate((words) => words.scrollWidth - words.clientWidth), `${state} ${width}`).toBe(0);
      }
    }
  });
}

for (const state of ['with-tools', 'with-tools-and-long-name']) {
  test(`on a phone the name of the model is not cut: composer ${state}`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 780 });
    await openSpecimen(page, 'message-composer');
    const composer = page.locator(`#${state} message-composer`);
    await expect(composer.locator('tools-chip')).toBeVisible();
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 780 });
      const name = composer.locator('.model > span');
      expect(await name.evaluate((words) => words.scrollWidth - words.clientWidth), `${width}`).toBe(0);
      expect(await composer.evaluate((element) => element.scrollWidth - element.clientWidth), `${width}`).toBe(0);
    }
  });
}

test('on a phone a model with a long name stands beside the other controls on several lines, and no button shrinks', async ({
  page,
}) => {
  await open(page, 'message-composer', 390, 780);
  const composer = page.locator('#long-name message-composer');
  const send = composer.getByRole('button', { name: 'Send' });
  expect((await send.boundingBox())!.y).toBe((await composer.getByRole('button').first().boundingBox())!.y);
  // A long name is shown in full.
  const name = composer.locator('.model > span');
  await expect(name).toHaveText('DeepSeek R1 Distill Llama 8B');
  await name.evaluate((element) => (element.textContent = 'A name of many words '.repeat(4)));
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  for (const button of await composer.getByRole('button').all())
    expect((await button.boundingBox())!.width).toBeGreaterThanOrEqual(40);
  await page.setViewportSize({ width: 1200, height: 780 });
  const select = composer.getByRole('combobox', { name: 'Model' });
  const right = (await send.boundingBox())!;
  expect((await select.boundingBox())!.y).toBeLessThan(right.y + right.height);
});

test('on a phone Send never stands alone in a row, whatever the name of the model and the other controls', async ({
  page,
}) => {
  await open(page, 'message-composer', 390, 780);
  const composer = page.locator('#with-tools message-composer');
  await expect(composer.locator('tools-chip')).toBeVisible();
  const alone: string[] = [];
  for (const withMeter of [true, false]) {
    if (!withMeter) await composer.locator('context-meter').evaluate((meter) => meter.remove());
    for (const letters of [6, 12, 15, 18, 28]) {
      const name = 'Llama Small 12 Instruct Long'.slice(0, letters);
      await composer.locator('.model > span').evaluate((span, name) => (span.textContent = name), name);
      for (const width of [390, 375, 360, 320]) {
        await resize(page, width);
        const rows = await composer
          .locator('button, context-meter button, tools-chip button, select')
          .evaluateAll((all) =>
            all.map((control) => control.getBoundingClientRect()).map(({ y, height }) => y + height / 2),
          );
        const send = (await composer.getByRole('button', { name: 'Send' }).boundingBox())!;
        const besides = rows.filter((middle) => middle > send.y && middle < send.y + send.height);
        if (besides.length < 2) alone.push(`${name}, ${width} px${withMeter ? ', with meter' : ''}`);
      }
    }
  }
  expect(alone).toEqual([]);
});

for (const [width, height] of [
  [390, 664],
  [1440, 900],
] as const) {
  test(`at the end of a nearly full chat the warning covers no message, ${width} wide`, async ({ page }) => {
    await open(page, 'chat-app/chat', width, height);
    // The context meter reports the chat's own, smaller share first.
    await expect(page.locator('context-meter button')).toBeVisible();
    await page.evaluate(() =>
      dispatchEvent(new CustomEvent('chat-measured', { detail: { chat: 'every', share: 0.83 } })),
    );
    await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
    const notice = page.locator('nearly-full-notice div');
    const answer = page.locator('answer-message').last();
    await expect(page.getByRole('button', { name: 'Go to the end' })).toBeHidden();
    await expect
      .poll(async () => (await bottom(answer)) - (await notice.boundingBox())!.y, { message: 'covered height' })
      .toBeLessThanOrEqual(0);
  });

  test(`a confirmation shows its buttons below a very long title and text, ${width} wide`, async ({ page }) => {
    await open(page, 'confirmation-dialog/long', width, height);
    for (const name of ['Keep', 'Delete'])
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    // The text is there, too.
    const words = page.locator('confirmation-dialog p');
    await words.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await expect(words).toBeInViewport();
  });
}

/** Specimens that together show every list of facts with separators. */
const WITH_SEPARATORS = [
  'model-suggestions',
  'download-status',
  'download-line/every-download',
  'attachment-tray/images',
  'attachment-tray/texts',
  'attachment-list',
  'tool-rounds/open',
  'key-manager/filled',
  'stored-answers-list/filled',
  'offline-badge/offline-now',
];

test('a separator between facts neither begins nor ends a line, at any width', async ({ page }) => {
  const found = new Set<string>();
  let between = 0;
  for (const name of WITH_SEPARATORS) {
    await open(page, name, 390, 800);
    for (const width of [390, 360, 330, 300, 270, 240, 210]) {
      await resize(page, width);
      const separators = await page.evaluate(separatorsInLines);
      for (const { text, isBetween } of separators)
        if (isBetween) between += 1;
        else found.add(`${name}, ${width} px: ${text}`);
    }
  }
  expect([...found]).toEqual([]);
  expect(between, 'separators within lines').toBeGreaterThan(100);
});

/** Runs in the page. Finds each visible "·", and whether it has text on both sides in its line. */
function separatorsInLines(): { text: string; isBetween: boolean }[] {
  const texts: Text[] = [];
  const collect = (root: Node): void => {
    for (const node of root.childNodes) {
      if (node instanceof Text) texts.push(node);
      else if (node instanceof Element) {
        if (['STYLE', 'OPTION', 'TITLE'].includes(node.tagName.toUpperCase())) continue;
        collect(node);
        if (node.shadowRoot) collect(node.shadowRoot);
      }
    }
  };
  collect(document.body);
  const letters = texts
    .flatMap((text) =>
      Array.from(text.data, (letter, index) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return { text, letter, box: range.getBoundingClientRect() };
      }),
    )
    .filter(({ letter, box }) => letter.trim() !== '' && box.width > 0);
  return letters.flatMap(({ text, letter, box }) => {
    const facts = text.parentElement!.closest('.separated');
    if (letter !== '·' || (facts !== null && box.right <= facts.getBoundingClientRect().left)) return [];
    const around = facts ?? text.parentElement!;
    const line = letters.filter((other) => {
      const middle = other.box.y + other.box.height / 2;
      return other.letter !== '·' && around.contains(other.text) && middle > box.top && middle < box.bottom;
    });
    const isBetween = line.some((other) => other.box.x < box.x) && line.some((other) => other.box.x > box.x);
    return [{ text: around.textContent.replace(/\s+/g, ' ').trim().slice(0, 60), isBetween }];
  });
}

async function left(element: Locator): Promise<number> {
  return Math.round((await element.boundingBox())!.x);
}

test('heading, questions, answers and field are aligned on the left at every width', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  const field = page.locator('message-composer form');
  const widths = [390, 1024, 1440];
  const fields = new Map<number, number>();
  await openSpecimen(page, 'chat-app/empty');
  for (const width of widths) {
    await resize(page, width);
    fields.set(width, await left(field));
    expect(await left(heading), `${width}`).toBe(fields.get(width));
  }
  await openSpecimen(page, 'chat-app/chat');
  for (const width of widths) {
    await resize(page, width);
    for (const part of ['question-message .tab', 'answer-message markdown-text'])
      await expect.poll(() => left(page.locator(part).last()), `${part} ${width}`).toBe(fields.get(width));
    // Beside the list of chats, the heading begins at the same place if the window has no room to spare.
    if (width === 1024) expect(await left(heading)).toBe(await left(field));
  }
  const heights = await page
    .locator('side-bar .new, side-bar input[type=search]')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights).toEqual([40, 40]);
});

test('messages and field are equally far from both edges of the window, with a scrollbar too @firefox', async ({
  page,
}) => {
  // Opens the specimen for each width, because Firefox does not update the layout of hidden content on a resize.
  for (const direction of ['ltr', 'rtl'])
    for (const width of [1024, 700, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await openSpecimen(page, 'conversation-view/every-answer', { direction });
      const edges = await page
        .locator('answer-message article > markdown-text, message-composer form')
        .evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, innerWidth - right]),
        );
      for (const [left, right] of edges) expect(Math.round(left!), `${direction} ${width}`).toBe(Math.round(right!));
      const scroller = page.locator('conversation-view .scroller');
      expect(await scroller.evaluate((element) => element.scrollWidth - element.clientWidth), `${width}`).toBe(0);
    }
});

test('a flag that the user must type is not broken at its hyphens', async ({ page }) => {
  await openSpecimen(page, 'chat-app/unsupported');
  for (const width of [1440, 700, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const lines = await page.locator('status-banner code').evaluateAll((all) =>
      all.map((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        return [one.textContent, words.getClientRects().length];
      }),
    );
    expect(lines, `${width}`).toEqual([
      ['chrome://flags', 1],
      ['--enable-unsafe-webgpu', 1],
      ['--use-webgpu-adapter=swiftshader', 1],
    ]);
  }
});

test('the field of the command palette keeps its place, whatever the number of results', async ({ page }) => {
  await open(page, 'command-palette/open', 1024, 800);
  const field = page.getByRole('combobox');
  const places: number[] = [];
  for (const [words, found] of [
    ['', /./],
    ['nowhere', /Search the chats for/],
  ] as const) {
    await field.fill(words);
    await expect(page.getByRole('option').first()).toHaveText(found);
    places.push((await field.boundingBox())!.y);
  }
  expect(places[0]).toBe(places[1]);
});

test('opening the settings of a chat focuses the system prompt @firefox', async ({ page }) => {
  await open(page, 'chat-app/chat', 1200, 800);
  await page.getByRole('button', { name: 'Settings of this chat' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'System prompt' })).toBeFocused();
});

test('a download of unknown size has a bar without a share, and says no amount before anything has arrived', async ({
  page,
}) => {
  await open(page, 'download-status', 900, 800);
  const share = (state: string) =>
    page
      .locator(`#${state}`)
      .getByRole('progressbar')
      .evaluate((bar: HTMLProgressElement) => bar.position);
  expect(await share('downloading')).toBeCloseTo(0.24, 2);
  expect(await share('downloading-of-unknown-size')).toBe(-1);
  await expect(page.locator('#preparing .numbers')).toHaveText('Reading the list of files');
});

test('a long question that waits leaves room for its buttons', async ({ page }) => {
  for (const width of [1440, 390]) {
    await open(page, 'queued-questions/waiting', width, 844);
    await expect(page.getByRole('button', { name: 'Remove' }).last()).toBeInViewport({ ratio: 1 });
  }
});

test('the light beside a long sentence about offline use is round', async ({ page }) => {
  await open(page, 'offline-badge/ready-except-upstreams', 1440, 900);
  const { width, height } = (await page.locator('offline-badge .light').boundingBox())!;
  expect(width).toBeCloseTo(height, 1);
});

test('the card of a model that is on its way has no empty space below its words', async ({ page }) => {
  await open(page, 'first-questions/ready', 390, 844);
  const card = page.locator('model-offer .card');
  const words = card.getByText('is downloading');
  expect((await bottom(card)) - (await bottom(words))).toBeLessThan(24);
});

test('the focus line of a menu item lies within the item', async ({ page }) => {
  await open(page, 'conversation-item/menu-open', 1440, 900);
  const item = page.getByRole('menuitem').first();
  await expect(item).toBeFocused();
  expect(await style(item, 'outline-style')).toBe('solid');
  expect(Number.parseFloat(await style(item, 'outline-offset'))).toBeLessThan(0);
});

test('a summary that is being written can be cancelled without scrolling', async ({ page }) => {
  for (const [width, height] of [
    [1024, 768],
    [390, 844],
  ] as const) {
    await open(page, 'continue-dialog/summing', width, height);
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 });
  }
});

test('a phone shows the whole notice that the browser offers no WebGPU', async ({ page }) => {
  await open(page, 'chat-app/unsupported', 390, 844);
  const hidden = await page
    .getByRole('group', { name: 'State of the model' })
    .evaluate((notice) => notice.scrollHeight - notice.clientHeight);
  expect(hidden).toBe(0);
});

test('a Send button with nothing to send looks the same below the pointer', async ({ page }) => {
  await open(page, 'chat-app/chat', 1440, 900);
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const colour = () =>
    send.evaluate(async (button) => {
      await Promise.all(button.getAnimations().map(({ finished }) => finished));
      return getComputedStyle(button).backgroundColor;
    });
  const before = await colour();
  await send.hover();
  expect(await colour()).toBe(before);
});

test('the filters of the models stand in full rows at every width', async ({ page }) => {
  await open(page, 'chat-app/models', 1440, 900);
  const fields = page.getByRole('search', { name: 'More models' }).getByRole('combobox');
  await expect(fields).toHaveCount(4);
  for (const width of [1440, 1024, 700, 390]) {
    await resize(page, width);
    const tops = await fields.evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().top));
    const inRows = [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    expect(new Set(inRows).size, `${width}: ${inRows.join(' + ')}`).toBe(1);
  }
});
