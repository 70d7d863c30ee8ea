import { expect, test } from 'vitest';
import { sleep } from '../../../src/shared/timeout.ts';
import { ScriptedBrowser } from '../scripted-browser.ts';
import { Tabs } from './tabs.ts';

const SITE = { url: 'http://localhost:1/' };

test('if two callers open a tab in the same empty place, one tab is opened', async () => {
  const browser = new ScriptedBrowser(() => sleep(20));
  const tabs = new Tabs(browser, SITE, 2);
  await tabs.openAll();
  const [first] = tabs.open;
  await first!.close();
  await Promise.all([tabs.restore(first!), tabs.openAll(), tabs.openAll()]);
  expect(browser.opened).toHaveLength(3);
  expect(tabs.open.map(({ number }) => number)).toEqual([3, 2]);
});

test('if a tab could not be opened, the next call opens it', async () => {
  const browser = new ScriptedBrowser(() => undefined);
  let attempts = 0;
  const openTab = (url: string) =>
    ++attempts === 1 ? Promise.reject(new Error('The browser is busy.')) : browser.openTab(url);
  const tabs = new Tabs({ openTab }, SITE, 1);
  await expect(tabs.openAll()).rejects.toThrow('busy');
  await tabs.openAll();
  expect(tabs.open).toHaveLength(1);
});

test('a tab whose page crashes while it is opened is opened again', async () => {
  const browser = new ScriptedBrowser(() => undefined);
  let attempts = 0;
  const openTab = (url: string) =>
    ++attempts < 3 ? Promise.reject(new Error('The page crashed.')) : browser.openTab(url);
  const tabs = new Tabs({ openTab }, SITE, 1);
  await tabs.openAll();
  expect(tabs.open).toHaveLength(1);
});

test('a tab that the browser leaves late has ended until then', async () => {
  const browser = new ScriptedBrowser((method) => (method === 'Page.navigate' ? sleep(60) : undefined));
  const tab = await browser.openTab(SITE.url);
  const left = tab.leave('http://localhost:2/');
  await sleep(20);
  const written = performance.now();
  await left;
  expect(tab.endsBetween(written, performance.now())).toBe(true);
});
