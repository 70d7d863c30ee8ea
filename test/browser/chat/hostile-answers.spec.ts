import { expect } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { HOSTILE_ANSWERS } from '../../support/samples/hostile-answers.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';

interface Watched {
  readonly attacks: string[];
}

/** One conversation that has every hostile text as an answer on the same branch. */
function hostileConversation(): string {
  const messages = HOSTILE_ANSWERS.flatMap((text, index) => [
    sampleQuestion({
      id: `q${index}`,
      parent: index === 0 ? null : `a${index - 1}`,
      created: index * 2,
      text: `Attack ${index}`,
    }),
    sampleAnswer({ id: `a${index}`, parent: `q${index}`, created: index * 2 + 1, text }),
  ]);
  const leaf = `a${HOSTILE_ANSWERS.length - 1}`;
  return conversationFile([
    { conversation: sampleConversation({ id: 'hostile', title: '<img src=x onerror=attacked()>', leaf }), messages },
  ]);
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const attacks: string[] = [];
    Object.defineProperty(globalThis, 'attacks', { value: attacks });
    Object.defineProperty(globalThis, 'attacked', { value: () => attacks.push('a script ran') });
    document.addEventListener('securitypolicyviolation', (event) =>
      attacks.push(`blocked ${event.blockedURI} by ${event.effectiveDirective}`),
    );
  });
});

test('no answer of the hostile corpus runs a script or sends a request to another origin', async ({
  page,
  baseURL,
}) => {
  expect(HOSTILE_ANSWERS.length).toBeGreaterThanOrEqual(60);
  const elsewhere: string[] = [];
  const dialogs: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(baseURL!) && !/^(data|blob):/.test(address)) elsewhere.push(address);
  });
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto('/');
  await page.locator('conversation-list input[type=file]').setInputFiles({
    name: 'hostile.json',
    mimeType: 'application/json',
    buffer: Buffer.from(hostileConversation()),
  });
  await page.getByRole('link', { name: '<img src=x onerror=attacked()>' }).click();
  const answers = page.locator('answer-message');
  await expect(answers).toHaveCount(HOSTILE_ANSWERS.length);
  // Waits until every answer is rendered, also those off the screen.
  await page.waitForFunction((count) => {
    const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
    const texts = [...(view?.querySelectorAll('answer-message') ?? [])].map((answer) =>
      answer.shadowRoot?.querySelector('markdown-text'),
    );
    return (
      texts.length === count && texts.every((text) => text?.shadowRoot?.querySelector('.plain')?.textContent === '')
    );
  }, HOSTILE_ANSWERS.length);
  // The code that draws formulas is loaded when the first one appears.
  await expect(page.locator('markdown-text math').first()).toBeAttached();
  const found = await page.evaluate(() => {
    const view = document.querySelector('chat-app')!.shadowRoot!.querySelector('conversation-view')!.shadowRoot!;
    const drawn = [...view.querySelectorAll('answer-message')].flatMap((answer) => {
      const root = answer.shadowRoot!.querySelector('markdown-text')!.shadowRoot!;
      return [...root.querySelectorAll('*')].filter((element) => !element.matches('style'));
    });
    const formulas = new Set(drawn.filter((element) => element.closest('.formula > math') !== null));
    return {
      names: [...new Set(drawn.filter((element) => !formulas.has(element)).map(({ localName }) => localName))],
      inFormulas: [...new Set([...formulas].map(({ localName }) => localName))],
      largest: Math.max(...[...formulas].map((element) => element.getBoundingClientRect().height)),
      handlers: drawn.flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith('on'))),
      addresses: drawn.flatMap((element) =>
        element instanceof HTMLAnchorElement && element.hasAttribute('href') ? [element.protocol] : [],
      ),
      loading: drawn.flatMap((element) =>
        element
          .getAttributeNames()
          .filter((name) => /^(src|srcset|poster|data|action|formaction|background|style)$/.test(name)),
      ),
    };
  });
  expect(found.handlers).toEqual([]);
  expect(found.loading).toEqual([]);
  expect(new Set(found.addresses)).toEqual(new Set(['https:']));
  expect(
    found.names.filter((name) =>
      /script|iframe|img|svg|object|embed|form|input|style|link|meta|base|video|audio|math|template|-/.test(name),
    ),
  ).toEqual([]);
  expect(found.inFormulas).toContain('msup');
  expect(
    found.inFormulas.filter(
      (name) => !/^(?:math|mrow|mstyle|mtext|mpadded|mspace|m[ino]|mfrac|msup|mtable|mtr|mtd)$/.test(name),
    ),
  ).toEqual([]);
  expect(found.largest).toBeLessThan(600);
  // Presses every button.
  for (const button of await page.locator('markdown-text button').all()) await button.click();
  expect(await page.evaluate(() => (globalThis as unknown as Watched).attacks)).toEqual([]);
  expect(elsewhere).toEqual([]);
  expect(dialogs).toEqual([]);
});

test('a scripted stream that grows into the whole hostile corpus is harmless at every step', async ({ page }) => {
  await scriptAnswers(page, { text: HOSTILE_ANSWERS.join('\n\n'), pieceLength: 11, interval: 1 });
  const chat = await ChatPage.open(page);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('elsewhere.example')) elsewhere.push(request.url());
  });
  await chat.send('Attack me');
  await chat.growing();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible({ timeout: 90_000 });
  expect(await page.evaluate(() => (globalThis as unknown as Watched).attacks)).toEqual([]);
  expect(elsewhere).toEqual([]);
});

test('the text of an attack is shown as plain text', async ({ page }) => {
  await scriptAnswers(page, {
    text: 'Use the <input> tag, and <b>never</b> <script>alert(1)</script>. 1 < 2 & 3 > 2.',
    pieceLength: 5,
    interval: 1,
  });
  const chat = await ChatPage.open(page);
  await chat.send('How?');
  await expect
    .poll(() => chat.text(), { timeout: 30_000 })
    .toBe('Use the <input> tag, and never <script>alert(1)</script>. 1 < 2 & 3 > 2.');
});

test('an external image is shown as a link that sends no referrer', async ({ page }) => {
  await scriptAnswers(page, { text: '![A cat](https://elsewhere.example/cat.png)', pieceLength: 50, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.send('Show me a cat');
  const link = page.getByRole('link', { name: 'Image: A cat' });
  await expect(link).toHaveAttribute('href', 'https://elsewhere.example/cat.png');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(page.locator('markdown-text img')).toHaveCount(0);
});
