import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFolder, HOUSE, runCommand } from '../../support/pages/documents-page.ts';
import { everythingStored } from '../../support/pages/everything-stored.ts';
import { test } from '../../support/pages/shared-context.ts';
import { siteReady } from '../../support/pages/site-page.ts';
import { savedFile } from '../../support/browsers/saved-file.ts';
import { copySite } from '../../support/sites/copied-site.ts';
import { openSpecimen } from '../../support/sites/gallery.ts';

test('a temporary chat asks a collection and leaves nothing', async ({ page }) => {
  const chat = await ChatPage.open(page, '/#/documents');
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('Sea');
  await page.keyboard.press('Enter');
  await dropFolder(page, 'Sea', HOUSE);
  await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 90_000 });
  // Loads what the first search loads and caches, before the storage is compared.
  await page.getByRole('link', { name: 'Ask about Sea' }).click();
  const passages = page.getByRole('list', { name: 'Passages that fit the question' }).last();
  await chat.send('What is the largest animal?');
  await expect(passages).toContainText('blue whale', { timeout: 60_000 });
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await page.getByRole('button', { name: 'Documents', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Sea' }).click();
  const before = await everythingStored(page);
  await chat.send('What does the blue whale eat?');
  await expect(passages).toContainText('eats krill', { timeout: 60_000 });
  expect(await everythingStored(page)).toBe(before);
  // Other tests share this browser.
  await runCommand(page, 'Documents');
  await page.getByRole('button', { name: 'Delete the collection Sea' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('There is no collection yet.')).toBeVisible();
});

test('at the first visit a collection is created although the service worker is not there yet', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  await page.goto('/#/documents');
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('House');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add files to House' })).toBeVisible();
  await context.close();
});

test('a folder that was chosen is remembered: at a click it is checked for new, changed and deleted files', async ({
  page,
}) => {
  // The folder is one of the browser's own file system, because no script can answer the picker. Its handle can be stored.
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('papers', { create: true }),
    });
  });
  const write = (name: string, text: string | null) =>
    page.evaluate(
      async ({ name, text }) => {
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle('papers', { create: true });
        if (text === null) return folder.removeEntry(name);
        const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
        await writable.write(text);
        await writable.close();
      },
      { name, text },
    );
  await ChatPage.open(page, '/#/documents');
  for (const name of ['a', 'b', 'c']) await write(`${name}.txt`, `The letter ${name}.`);
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('Letters');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add a folder to Letters' }).click();
  await expect(page.getByText('All 3 files can be asked about.')).toBeVisible({ timeout: 90_000 });

  await write('b.txt', 'The letter b, again.');
  await write('c.txt', null);
  await write('d.txt', 'The letter d.');
  await page.reload();
  await page.getByRole('button', { name: 'Check the folder papers for changes' }).click();
  await expect(page.getByText('1 file of the collection is no longer in the folder papers.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove from the collection' }).click();
  await expect(page.getByText('All 3 files can be asked about. 1 file had not changed.')).toBeVisible({
    timeout: 60_000,
  });
  await page.getByText('Files', { exact: true }).click();
  await expect(page.locator('file-list li')).toHaveText([/papers\/b\.txt/, /papers\/d\.txt/, /papers\/a\.txt/]);

  await page.getByRole('button', { name: 'Forget the folder papers, but not its files' }).click();
  await expect(page.getByRole('button', { name: 'Check the folder papers for changes' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete the collection Letters' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('There is no collection yet.')).toBeVisible();
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('papers', { recursive: true }));
});

test('a file that a program has stored is deleted only after a confirmation, and by a double click no second one', async ({
  page,
}) => {
  await ChatPage.open(page, '/#/documents');
  const program = await page.evaluate(async () => {
    const headers = { authorization: 'Bearer local' };
    const post = async (path: string, body: FormData | object): Promise<string> => {
      const isForm = body instanceof FormData;
      const response = await fetch(`v1/${path}`, {
        method: 'POST',
        headers: { ...headers, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify(body),
      });
      return ((await response.json()) as { readonly id: string }).id;
    };
    const collection = await post('vector_stores', { name: 'Notes of a program' });
    const files: string[] = [];
    // As this page stores files, and as a program does.
    for (const attributes of [{ name: 'a.txt', sha256: '0' }, { name: 'b.txt', sha256: '1' }, { name: 'c.txt' }]) {
      const form = new FormData();
      form.set('purpose', 'assistants');
      form.set('file', new File(['The only copy of a note.'], attributes.name));
      const file = await post('files', form);
      await post(`vector_stores/${collection}/files`, { file_id: file, attributes });
      files.push(file);
    }
    return files[2]!;
  });
  const isThere = () =>
    page.evaluate(
      async (id) => (await fetch(`v1/files/${id}`, { headers: { authorization: 'Bearer local' } })).ok,
      program,
    );
  await page.reload();
  const card = page.locator('collection-card', { hasText: 'Notes of a program' });
  await card.locator('file-list summary').click();
  const dialog = page.locator('wa-dialog[open]');
  await page.getByRole('button', { name: 'Remove c.txt' }).click();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await isThere()).toBe(true);
  await page.getByRole('button', { name: 'Remove c.txt' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(isThere).toBe(false);
  await page.getByRole('button', { name: 'Remove a.txt' }).click();
  await expect(page.getByRole('button', { name: 'Remove a.txt' })).toHaveCount(0);
  // Another file is in its place when the second click comes.
  await page.getByRole('button', { name: 'Remove b.txt' }).dispatchEvent('click', { detail: 2 });
  await page.reload();
  await card.locator('file-list summary').click();
  await expect(page.getByRole('button', { name: 'Remove b.txt' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete the collection Notes of a program' }).click();
  await expect(dialog).toContainText('there may be no other copy of its files');
  // Other tests share this browser.
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(card).toHaveCount(0);
});

test('a collection that is exported and imported can be asked at once @firefox', async ({ page }) => {
  const chat = await ChatPage.open(page, '/#/documents');
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('Sea');
  await page.keyboard.press('Enter');
  await dropFolder(page, 'Sea', HOUSE);
  await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 90_000 });
  const { name, bytes } = await savedFile(page, () =>
    page.getByRole('button', { name: 'Export the collection Sea' }).click(),
  );
  expect(name).toBe('sea.zip');
  await page.getByRole('button', { name: 'Delete the collection Sea' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('There is no collection yet.')).toBeVisible();

  const choose = async (buffer: Buffer) => {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await (await chosen).setFiles({ name: 'sea.zip', mimeType: 'application/zip', buffer });
  };
  await choose(bytes.subarray(0, bytes.length - 50));
  await expect(page.getByText('This archive is damaged, so nothing was imported.')).toBeVisible();
  await choose(bytes);
  await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Ask about Sea' }).click();
  await chat.send('What does the blue whale eat?');
  await expect(page.getByRole('list', { name: 'Passages that fit the question' })).toContainText('eats krill', {
    timeout: 60_000,
  });
  await page.getByRole('link', { name: 'Documents', exact: true }).click();
  await page.getByRole('button', { name: 'Delete the collection Sea' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('There is no collection yet.')).toBeVisible();
});

test('a document is kept as it is: it is saved from a passage, exported, imported, and gone with its collection @firefox', async ({
  page,
}) => {
  const html = `<!doctype html><html><title>Harbour</title><body><p>The lighthouse stands since <b>1897</b>.</p></body></html>`;
  const chat = await ChatPage.open(page, '/#/documents');
  const ready = page.getByText('The file can be asked about.');
  const askAndSave = async () => {
    await page.getByRole('link', { name: 'Ask about Coast' }).click();
    await chat.send('Since when does the lighthouse stand?');
    const source = page.getByRole('button', { name: 'Source 1 house/harbour.html' }).last();
    await source.click({ timeout: 60_000 });
    await expect(page.getByRole('region', { name: 'The passage' }).locator('mark')).toHaveText(/stands since/);
    const { name, bytes } = await savedFile(page, () => page.getByRole('button', { name: 'Save the file' }).click());
    expect([name, bytes.toString()]).toEqual(['harbour.html', html]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
  };
  const deleteCollection = async () => {
    await page.getByRole('button', { name: 'Delete the collection Coast' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('There is no collection yet.')).toBeVisible();
    expect(await storedDocuments(page)).toEqual([]);
  };
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('Coast');
  await page.keyboard.press('Enter');
  await dropFolder(page, 'Coast', { 'harbour.html': html });
  await expect(ready).toBeVisible({ timeout: 90_000 });
  await askAndSave();
  const { bytes } = await savedFile(page, () =>
    page.getByRole('button', { name: 'Export the collection Coast' }).click(),
  );
  await deleteCollection();
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await (await chosen).setFiles({ name: 'coast.zip', mimeType: 'application/zip', buffer: bytes });
  await expect(ready).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('computed anew')).toHaveCount(0);
  await askAndSave();
  await deleteCollection();
});

/** The names of all contents and indexes that the engine has stored. */
async function storedDocuments(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('tabserve-documents');
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names;
  });
}

test('an import that ends with its page is shown as unfinished, and importing the archive again adds the rest', async ({
  page,
}) => {
  await ChatPage.open(page, '/#/documents');
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('Sea');
  await page.keyboard.press('Enter');
  await dropFolder(page, 'Sea', HOUSE);
  await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 90_000 });
  const { bytes } = await savedFile(page, () =>
    page.getByRole('button', { name: 'Export the collection Sea' }).click(),
  );
  const deleteSea = async () => {
    await page.getByRole('button', { name: 'Delete the collection Sea' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('There is no collection yet.')).toBeVisible();
  };
  await deleteSea();
  const importSea = async () => {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await (await chosen).setFiles({ name: 'sea.zip', mimeType: 'application/zip', buffer: bytes });
  };
  // The first file and its vectors arrive, the second one does not.
  await page.evaluate(() => {
    const { fetch } = globalThis;
    let uploads = 0;
    globalThis.fetch = (address, init) =>
      init?.body instanceof FormData && (uploads += 1) > 2 ? new Promise(() => {}) : fetch(address, init);
  });
  await importSea();
  await expect(page.getByText('Reading files: 1 of 2')).toBeVisible();
  // The browser asks before the page is left.
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('The import was interrupted: 1 of 2 files are here.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export the collection Sea' })).toHaveCount(0);
  await importSea();
  await expect(page.getByText('All 2 files can be asked about. 1 file had not changed.')).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText('The import was interrupted')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Export the collection Sea' })).toBeVisible();
  await deleteSea();
});

test('a collection can be exported although none of its files could be indexed, and an empty one cannot', async ({
  page,
}) => {
  for (const [state, count] of [
    ['not-indexed', 1],
    ['empty', 0],
  ] as const) {
    await openSpecimen(page, `collection-card/${state}`);
    await expect(page.getByRole('button', { name: 'Export the collection' })).toHaveCount(count);
  }
});

test('who has opened the screen once can index and ask documents without a network', async ({ browser }) => {
  const site = await copySite();
  const context = await browser.newContext();
  const page = await context.newPage();
  const chat = new ChatPage(page);
  await page.goto(`${site.url}#/documents`);
  await siteReady(page);
  await expect(page.getByText('Works offline', { exact: true })).toBeVisible();
  const isStored = () =>
    page.evaluate(async () =>
      (await (await caches.open('webllm/model')).keys()).some(({ url }) => url.includes('pocket-embed')),
    );
  await expect.poll(isStored, { timeout: 60_000 }).toBe(true);
  await expect
    .poll(() =>
      page.evaluate(async () =>
        (await (await caches.open('webllm/wasm')).keys()).some(({ url }) => url.includes('pocket-embed')),
      ),
    )
    .toBe(true);
  await site.close();
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('House');
  await page.keyboard.press('Enter');
  await dropFolder(page, 'House', HOUSE);
  await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 90_000 });
  await page.getByRole('link', { name: 'Ask about House' }).click();
  await chat.send('What does the blue whale eat?');
  await expect(page.getByRole('list', { name: 'Passages that fit the question' })).toContainText('eats krill', {
    timeout: 60_000,
  });
  await context.close();
});
