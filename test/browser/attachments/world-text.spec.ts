import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { pdfFile, pdfText, pdfWithCmap } from '../../support/samples/pdf-file.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const chip = (page: Page, name: string) =>
  page.locator('attachment-tray').getByRole('listitem').filter({ hasText: name });

function file(name: string, buffer: Buffer): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: name.endsWith('.pdf') ? 'application/pdf' : 'text/plain', buffer };
}

function ucs2(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}

const PDFS = [
  { name: 'unijis.pdf', pdf: pdfWithCmap('UniJIS-UCS2-H', 'Japan1', ucs2('東京の港')), text: '東京の港' },
  { name: 'unigb.pdf', pdf: pdfWithCmap('UniGB-UCS2-H', 'GB1', ucs2('上海的港口')), text: '上海的港口' },
  { name: 'unicns.pdf', pdf: pdfWithCmap('UniCNS-UCS2-H', 'CNS1', ucs2('臺北的港口')), text: '臺北的港口' },
  { name: 'uniks.pdf', pdf: pdfWithCmap('UniKS-UCS2-H', 'Korea1', ucs2('부산의 항구')), text: '부산의 항구' },
  { name: '90ms.pdf', pdf: pdfWithCmap('90ms-RKSJ-H', 'Japan1', '938c8b9e82cc8d60'), text: '東京の港' },
];

test('PDFs whose fonts need a predefined CMap are read, and CMaps load for no other file @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const cmaps: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('pdf-cmaps')) cmaps.push(request.url());
  });
  const chat = await ChatPage.open(page);
  const field = page.locator('message-composer input[type=file]');
  await field.setInputFiles([
    file('latin.pdf', pdfFile([pdfText('Oslo')])),
    file('scanned.pdf', pdfFile([Buffer.from('0 0 m')])),
  ]);
  await expect(chip(page, 'latin.pdf')).toContainText('token');
  await expect(chip(page, 'scanned.pdf')).toContainText('its pages may be pictures of a text');
  expect(cmaps).toEqual([]);
  await chip(page, 'scanned.pdf').getByRole('button', { name: 'Remove scanned.pdf' }).click();
  await field.setInputFiles(PDFS.map(({ name, pdf }) => file(name, pdf)));
  for (const { name } of PDFS) await expect(chip(page, name)).toContainText('token');
  await chat.ask('Where?');
  for (const { name, text } of PDFS) {
    const attached = chat.questions.last().locator('details').filter({ hasText: name });
    await attached.locator('summary').click();
    await expect(attached).toContainText(text);
  }
  expect(cmaps.length).toBeGreaterThanOrEqual(PDFS.length);
});

test('a PDF whose CMap cannot be loaded is refused with the reason', async ({ page }) => {
  await ChatPage.open(page);
  await page.route('**/pdf-cmaps*/**', (route) => route.abort());
  await page.locator('message-composer input[type=file]').setInputFiles(file('unigb.pdf', PDFS[1]!.pdf));
  await expect(chip(page, 'unigb.pdf')).toContainText('could not be looked up');
});

test('texts in legacy encodings are read, and an uncertain encoding is asked for with a preview @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  const sjis = Buffer.from('82b182f182c982bf82cd81418ca98ab482cd81420a', 'hex');
  const kanji = Buffer.from('bbe1ccbe2cbdbbbdea0abbb3c5c4', 'hex');
  await page
    .locator('message-composer input[type=file]')
    .setInputFiles([file('greeting.txt', sjis), file('names.csv', kanji)]);
  await expect(chip(page, 'greeting.txt')).toContainText('token');
  await expect(chip(page, 'greeting.txt').getByRole('combobox')).toHaveCount(0);
  const question = chip(page, 'names.csv').getByRole('combobox', { name: 'Encoding of names.csv' });
  await question.selectOption('氏名,住所 (euc-jp)');
  await expect(question.locator('option:checked')).toHaveText('氏名,住所 (euc-jp)');
  await chat.ask('Who?');
  for (const [name, text] of [
    ['greeting.txt', 'こんにちは'],
    ['names.csv', '山田'],
  ] as const) {
    const attached = chat.questions.last().locator('details').filter({ hasText: name });
    await attached.locator('summary').click();
    await expect(attached).toContainText(text);
  }
});
