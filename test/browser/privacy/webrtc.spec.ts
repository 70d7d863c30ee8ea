import { expect, type Page } from '@playwright/test';
import { CONSTRUCTOR_SOURCES, sendByWebRtc, TIME_FOR_PACKETS, UdpListener } from '../../support/samples/web-rtc.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { serveForeignSite } from '../../support/sites/foreign-site.ts';
import { test } from '../../support/sites/word-site.ts';

let listener: UdpListener;
test.beforeEach(async () => {
  listener = await UdpListener.open();
});
test.afterEach(() => listener.close());

/** Returns how the attempt ended. Chromium ends the process of a page that breaks a rule which its own browser enforces. */
const attempt = (page: Page, source: string): Promise<string> =>
  sendByWebRtc(page, source, listener).catch(() => 'the browser ended the page');

test('a page without our headers sends the text of a question by WebRTC, from each source of a constructor @firefox', async ({
  page,
}) => {
  const foreign = await serveForeignSite('localhost');
  for (const source of Object.keys(CONSTRUCTOR_SOURCES)) {
    await page.goto(foreign.origin);
    listener.clear();
    expect(await attempt(page, source), source).toBe('sent');
    await expect.poll(() => listener.texts(), source).toContain('secret');
  }
  foreign.close();
});

/** What only a browser with a `Connection-Allowlist` stops. */
const BY_ALLOWLIST = ['a frame with a source, found by its number', 'a new window'];

for (const path of ['/', '/bench/']) {
  for (const source of Object.keys(CONSTRUCTOR_SOURCES)) {
    const tag = path === '/' && !BY_ALLOWLIST.includes(source) ? ' @firefox' : '';
    test(`no packet leaves ${path} by WebRTC, with the constructor of ${source}${tag}`, async ({ page }) => {
      await page.goto(path);
      const outcome = await attempt(page, source);
      expect(outcome).toMatch(/^(no constructor|the browser ended the page)$/);
      expect(listener.packets).toEqual([]);
    });
  }
}

/** Ways in which a script of a page opens an address. */
const NAVIGATIONS: Readonly<Record<string, (address: string) => void>> = {
  'the location': (address) => location.assign(address),
  'a new window': (address) => void window.open(address),
  'a new window without opener': (address) => void window.open(address, '_blank', 'noopener'),
  'a link': (address) => Object.assign(document.createElement('a'), { href: address }).click(),
  'a refresh': (address) =>
    document.head.append(
      Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: `0;url=${address}` }),
    ),
  'a frame': (address) => document.body.append(Object.assign(document.createElement('iframe'), { src: address })),
};

for (const [way, navigate] of Object.entries(NAVIGATIONS)) {
  test(`${way} takes neither the page nor a new tab to another site`, async ({ page }) => {
    const reached: string[] = [];
    const foreign = await serveForeignSite('127.0.0.1', undefined, (path) => {
      reached.push(path);
      return {};
    });
    const careless = await serveForeignSite('localhost');
    const unprotected = await page.context().newPage();
    await unprotected.goto(careless.origin);
    await unprotected.evaluate(navigate, `${foreign.origin}/without-headers`);
    await expect.poll(() => reached).toContain('/without-headers');
    await unprotected.close();

    await page.goto('/');
    await page.evaluate(navigate, `${foreign.origin}/secret`);
    await page.waitForTimeout(TIME_FOR_PACKETS);
    expect(reached).not.toContain('/secret');
    careless.close();
    foreign.close();
  });
}

test('a link of an answer to another site can be copied, since the browser would not open it', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await scriptAnswers(page, { text: 'See [there](https://elsewhere.example/a?b=c).', pieceLength: 50, interval: 1 });
  const chat = await ChatPage.open(page);
  await chat.send('Where?');
  const link = page.getByRole('link', { name: 'there' });
  for (const button of ['left', 'middle'] as const) {
    await link.click({ button });
    const dialog = page.locator('wa-dialog[open]');
    await expect(dialog).toContainText('https://elsewhere.example/a?b=c');
    await dialog.getByRole('button', { name: 'Copy the address' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('https://elsewhere.example/a?b=c');
    await page.evaluate(() => navigator.clipboard.writeText(''));
  }
  expect(context.pages()).toHaveLength(1);
});
