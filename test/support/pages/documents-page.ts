import { expect, type Page } from '@playwright/test';

/** A folder: texts of files by their names, and further folders. */
export interface Folder {
  readonly [name: string]: string | Folder;
}

/** A folder of three files, of which `notes.bin` cannot be read. */
export const HOUSE: Folder = {
  'rules.md': `# House rules

## Parking

Guests may park in front of the house until **ten** in the evening.

## Kitchen

${'The kitchen is cleaned by whoever has used it last. '.repeat(40)}
`,
  sea: { 'whales.txt': 'The blue whale is the largest animal. It lives in all oceans and eats krill.' },
  'notes.bin': '\0\u0001\0\u0002'.repeat(50),
};

/**
 * Drops a folder named `house` on a collection. Scripts cannot make entries of folders, so that the one of the dropped
 * item is replaced.
 */
export async function dropFolder(page: Page, collection: string, folder: Folder): Promise<void> {
  const card = page.locator('collection-card').filter({ hasText: collection });
  await card.evaluate((element, folder) => {
    const entryOf = (name: string, content: string | Folder, path: string): object => {
      if (typeof content === 'string')
        return {
          name,
          fullPath: path,
          isFile: true,
          file: (done: (file: File) => void) => done(new File([content], name)),
        };
      const inner = Object.entries(content).map(([own, part]) => entryOf(own, part, `${path}/${own}`));
      const readEntries = (done: (part: object[]) => void) => done(inner.splice(0));
      return { name, fullPath: path, isDirectory: true, createReader: () => ({ readEntries }) };
    };
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([''], 'house'));
    const own = DataTransferItem.prototype.webkitGetAsEntry;
    DataTransferItem.prototype.webkitGetAsEntry = () => entryOf('house', folder, '/house') as FileSystemEntry;
    const event = { dataTransfer, bubbles: true, cancelable: true, composed: true };
    element.dispatchEvent(new DragEvent('dragover', event));
    element.dispatchEvent(new DragEvent('drop', event));
    DataTransferItem.prototype.webkitGetAsEntry = own;
  }, folder);
}

/** Runs a command of the palette by the keyboard. */
export async function runCommand(page: Page, command: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Actions and chats' });
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
}
