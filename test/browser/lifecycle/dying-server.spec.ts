import { expect, test } from '@playwright/test';
import { startDyingServer } from '../../support/sites/dying-server.ts';

test.use({ locale: 'de-DE' });

for (const { arrives, serves } of [
  { arrives: 'the document alone', serves: /^\/$/ },
  { arrives: 'the document and its style', serves: /^\/$|\.css$/ },
  { arrives: 'the document and its first script', serves: /^\/$|first-paint\.js$|assets\/index-[^/]*\.js$/ },
]) {
  test(`a first visit to a server that dies after ${arrives} says so and offers to reload @firefox`, async ({
    page,
    baseURL,
  }) => {
    const server = await startDyingServer(baseURL!, (path) => serves.test(path));
    try {
      await page.goto(server.url);
      await expect(page.getByText('The page has not loaded completely.')).toBeVisible();
      server.revive();
      await page.getByRole('link', { name: 'Reload' }).click();
      await expect(page.getByRole('textbox', { name: /question|Frage/i })).toBeVisible();
      await expect(page.getByText('The page has not loaded completely.')).toBeHidden();
    } finally {
      await server.close();
    }
  });
}

test('a first visit to a server that dies after the page and its scripts shows the page @firefox', async ({
  page,
  baseURL,
}) => {
  const scripts = /^\/$|first-paint\.js$|assets\/(index|page)-[^/]*$/;
  const server = await startDyingServer(baseURL!, (path) => scripts.test(path));
  try {
    await page.goto(server.url);
    await expect(page.getByRole('textbox', { name: /question|Frage/i })).toBeVisible();
  } finally {
    await server.close();
  }
});
