import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const FILES = join(import.meta.dirname, '../../document-reader/files');

const chip = (page: Page, name: string) =>
  page.locator('attachment-tray').getByRole('listitem').filter({ hasText: name });

function file(name: string, buffer: Buffer = readFileSync(join(FILES, name))) {
  return { name, mimeType: 'application/octet-stream', buffer };
}

/** A document that unpacks to a thousand times its size. */
const BOMB = Buffer.from(
  zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'word/document.xml': strToU8(`<w:document><w:body><w:p><w:r><w:t>${' '.repeat(20_000_000)}`),
  }),
);

test('the text of documents is sent, what is left out of them is told, and damaged ones leave the others alone @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  await page
    .locator('message-composer input[type=file]')
    .setInputFiles([
      file('bomb.docx', BOMB),
      file('report-python-docx.docx'),
      file('half.docx', readFileSync(join(FILES, 'report-python-docx.docx')).subarray(0, 9000)),
      file('old.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex')),
      file('times-xlsxwriter.xlsx'),
      file('html-python.eml'),
    ]);
  await expect(chip(page, 'report-python-docx.docx')).toContainText('token');
  await expect(chip(page, 'bomb.docx')).toContainText('expands to an unreasonable size');
  await expect(chip(page, 'half.docx')).toContainText('damaged or unsafe');
  await expect(chip(page, 'old.doc')).toContainText('from before 2007');
  await expect(chip(page, 'times-xlsxwriter.xlsx')).toContainText('without 1 chart');
  await expect(chip(page, 'html-python.eml')).toContainText('without 1 attached file');
  for (const name of ['bomb.docx', 'half.docx', 'old.doc']) {
    await chip(page, name)
      .getByRole('button', { name: `Remove ${name}` })
      .click();
  }
  await chat.ask('What?');
  for (const [name, text] of [
    ['report-python-docx.docx', 'May | 23 | 11,400'],
    ['times-xlsxwriter.xlsx', '1,234,567.89 kr'],
    ['html-python.eml', 'Subject: Eröffnung der Kaianlage'],
  ] as const) {
    const attached = chat.questions.last().locator('details').filter({ hasText: name });
    await attached.locator('summary').click();
    await expect(attached).toContainText(text);
  }
});
