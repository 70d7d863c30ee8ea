import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { DIST_FOLDER } from '../../../src/command-line/project-folders.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';

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
