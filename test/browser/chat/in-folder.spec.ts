import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { DIST_FOLDER } from '../../../src/command-line/project-folders.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { serveForeignSite } from '../../support/sites/foreign-site.ts';

let root: string;
let site: Site;

test.beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tabserve-folder-'));
  cpSync(process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER, join(root, 'some/chat'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<!doctype html><html lang="en"><title>Another page</title></html>');
  site = await serveBuiltSite({ folder: root });
});

test.afterAll(async () => {
  await site.close();
  rmSync(root, { recursive: true, force: true });
});

test('the chat page works in a subfolder, requests nothing outside it, and opens offline at every address', async ({
  page,
  context,
}) => {
  const outside: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/some/chat/') && !pathname.startsWith('/v1/')) outside.push(request.url());
  });
  const address = `${site.url}some/chat/`;
  const chat = await ChatPage.open(page, address);
  expect(await chat.ask('What is a token?')).toMatch(/\w+ \w+/);
  const manifest = await page.evaluate(async () => {
    const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!;
    const { start_url, scope, icons } = (await (await fetch(href)).json()) as {
      start_url: string;
      scope: string;
      icons: { src: string }[];
    };
    const { status } = await fetch(new URL(icons[0]!.src, href));
    return { start: new URL(start_url, href).href, scope: new URL(scope, href).href, status };
  });
  expect(manifest).toEqual({ start: address, scope: address, status: 200 });
  expect(outside).toEqual([]);
  await context.setOffline(true);
  await page.goto(`${address}no/such/place#/models`);
  expect(page.url()).toBe(`${address}#/models`);
  await expect(page.getByRole('heading', { name: 'Models', exact: true })).toBeVisible();
});

test('opened from a file, the page says in both languages that it needs a web server, and how to start one', async ({
  page,
}) => {
  await page.goto(pathToFileURL(join(root, 'some/chat/index.html')).href);
  // The sentence about a lost network appears after eight seconds, which this test does not await.
  await expect(page.getByText('This page was opened from a file.')).toContainText('npx tabserve serve FOLDER');
  await expect(page.getByText('Diese Seite wurde aus einer Datei geöffnet.')).toBeVisible();
  await expect(page.getByText('Check the network')).toBeHidden();
});

test('in a folder of a static host without headers, the page has its policy, answers, and has threads after a reload', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-static-'));
  cpSync(process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER, join(folder, 'tabserve'), { recursive: true });
  const host = await serveForeignSite('localhost', folder);
  try {
    const chat = await ChatPage.open(page, `${host.origin}/tabserve/`);
    expect(await chat.ask('What is a token?')).toMatch(/\w+ \w+/);
    const policy = page.locator('meta[http-equiv="Content-Security-Policy" i]');
    await expect(policy).toHaveAttribute('content', /default-src 'none'/);
    await page.reload();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  } finally {
    host.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
