import { crc32 } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const chip = (page: Page, name: string) =>
  page.locator('attachment-tray').getByRole('listitem').filter({ hasText: name });

test('an image can be added by button, drop and paste, enlarged, kept and edited; a model without image support gets its name @firefox', async ({
  page,
}) => {
  const asked = await scriptEyes(page);
  const chat = await ChatPage.open(page);
  const photo = await drawn(page, 3000, 1500, 'image/jpeg');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles([{ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(photo) }]);
  await expect(chip(page, 'harbour.jpg')).toContainText(/\d+\skB · image · made smaller/);
  await expect(chip(page, 'harbour.jpg').locator('img')).toHaveJSProperty('naturalWidth', 1536);
  const drawing = await drawn(page, 40, 30, 'image/png');
  await dropFiles(page, [{ name: 'drawing.png', type: 'image/png', parts: [drawing] }]);
  await paste(page, 'pasted.png', drawing);
  await expect(chip(page, 'pasted.png').locator('img')).toHaveJSProperty('naturalWidth', 40);
  await chip(page, 'pasted.png').getByRole('button', { name: 'Remove pasted.png' }).click();
  // Text from an office program is accompanied by a picture of it, which the user does not want.
  expect(await paste(page, 'cells.png', drawing, 'A cell')).toBe(false);
  await expect(chip(page, 'cells.png')).toHaveCount(0);
  await chat.ask('What is this?');
  const shown = [
    { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,/) as unknown } },
    { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) as unknown } },
  ];
  expect((await asked()).at(-1)).toEqual([...shown, { type: 'text', text: 'What is this?' }]);

  await page.reload();
  const question = chat.questions.first();
  const image = question.getByRole('button', { name: 'Enlarge the image harbour.jpg' });
  await image.focus();
  await page.keyboard.press('Enter');
  const large = page.getByRole('img', { name: 'Image: harbour.jpg' });
  await expect(large).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(large).toHaveCount(0);
  await expect(image).toBeFocused();

  await fromMessage(page, 'answer', 'Ask again');
  await chat.answered();
  expect((await asked()).at(-1)).toEqual([...shown, { type: 'text', text: 'What is this?' }]);
  await fromMessage(page, 'question', 'Edit the question');
  await page.getByRole('textbox', { name: 'Edit your question' }).fill('And where?');
  await page.keyboard.press('Enter');
  await chat.answered();
  expect((await asked()).at(-1)).toEqual([...shown, { type: 'text', text: 'And where?' }]);
  await expect(image).toBeVisible();

  // A model without image support says so before anything is sent: for images in the tray, and for images that are
  // added later.
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('other');
  await expect(page.getByText('other cannot see the images of this chat: it is told their names only.')).toBeVisible();
  await dropFiles(page, [{ name: 'another.png', type: 'image/png', parts: [drawing] }]);
  await expect(chip(page, 'another.png')).toContainText('other cannot see images.');
  await chat.send('Why?');
  await expect(chat.questions).toHaveCount(1);
  await chip(page, 'another.png').getByRole('button').click();
  await chat.field.press('Enter');
  await expect(chat.questions).toHaveCount(2);
  await chat.answered();
  expect(await asked()).toHaveLength(4);
  const told = 'Attached image "harbour.jpg", which is not shown here.\n\nAttached image "drawing.png"';
  expect(JSON.stringify(await page.evaluate(() => Reflect.get(window, 'lastRequest') as unknown))).toContain(
    JSON.stringify(told).slice(1, -1),
  );
});

test('broken, huge, animated, scripted or unsupported images are refused with an explanation or made harmless; accepted ones survive export and import', async ({
  page,
}) => {
  await scriptEyes(page);
  const chat = await ChatPage.open(page);
  const heic = [0, 0, 0, 24, ...Buffer.from('ftypheic'), ...Array.from({ length: 60 }, () => 7)];
  const png = await drawn(page, 40, 30, 'image/png');
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.document.title = 1</script></svg>';
  await dropFiles(page, [
    { name: 'broken.png', type: 'image/png', parts: ['no picture'] },
    { name: 'half.png', type: 'image/png', parts: [png.slice(0, 60)] },
    { name: 'photo.heic', parts: [heic] },
    { name: 'bomb.png', type: 'image/png', parts: [pngHeader(12_000, 12_000)] },
    { name: 'enormous.png', type: 'image/png', parts: [png, 'x'.repeat(1_000_000)], times: 60 },
    { name: 'moving.gif', type: 'image/gif', parts: [MOVING] },
    { name: 'script.svg', type: 'image/svg+xml', parts: [script] },
    { name: 'disguised.png', type: 'image/png', parts: [script] },
    { name: 'unnamed', parts: [png] },
  ]);
  await expect(chip(page, 'unnamed').locator('img')).toHaveJSProperty('naturalWidth', 40);
  await expect(chip(page, 'broken.png')).toContainText('This image cannot be read.');
  await expect(chip(page, 'half.png')).toContainText('This image cannot be read.');
  await expect(chip(page, 'photo.heic')).toContainText('This browser cannot read images of the kind HEIC.');
  await expect(chip(page, 'bomb.png')).toContainText('This image has too many pixels');
  await expect(chip(page, 'enormous.png')).toContainText('This file is larger than 50 MB.');
  await expect(chip(page, 'moving.gif')).toContainText('image · only its first picture');
  await expect(chip(page, 'script.svg')).toContainText('tokens');
  await expect(chip(page, 'disguised.png')).toContainText('This image cannot be read.');
  for (const name of ['broken.png', 'half.png', 'photo.heic', 'bomb.png', 'enormous.png', 'disguised.png'])
    await chip(page, name).getByRole('button').click();
  await chat.ask('What is this?');
  await chat.questions.getByText('script.svg').click();
  await expect(chat.questions.getByText(script)).toBeVisible();
  expect(await page.title()).toContain('What is this?');

  const [json] = await Promise.all([page.waitForEvent('download'), chat.fromMenu('What is this?', 'Export as JSON')]);
  const file = Buffer.concat(await (await json.createReadStream()).toArray());
  expect(JSON.parse(file.toString())).toMatchObject({ format: 'tabserve-conversations' });
  await chat.fromMenu('What is this?', 'Delete');
  await expect(chat.chatInList('What is this?')).toHaveCount(0);
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'chat.json', mimeType: 'application/json', buffer: file });
  await chat.chatInList('What is this?').click();
  const image = chat.questions.getByRole('button', { name: 'Enlarge the image unnamed' });
  await expect(image.locator('img')).toHaveJSProperty('naturalWidth', 40);
});

/** A GIF of two frames of one pixel. */
const MOVING = [
  ...Buffer.from('47494638396101000100800000ff00000000ff', 'hex'),
  ...Buffer.from(
    '21f904000a0000002c000000000100010000020244010021f904000a0000002c00000000010001000002024c01003b',
    'hex',
  ),
];

/** A PNG with a header that states its size, but without pixels. */
function pngHeader(width: number, height: number): number[] {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [pngChunk('IHDR', size), pngChunk('IDAT', Buffer.alloc(0)), pngChunk('IEND', Buffer.alloc(0))];
  return [...start, ...chunks.flatMap((chunk) => [...chunk])];
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Returns the bytes of an image with several colours. */
function drawn(page: Page, width: number, height: number, type: string): Promise<number[]> {
  return page.evaluate(
    async ({ width, height, type }) => {
      const canvas = new OffscreenCanvas(width, height);
      const drawing = canvas.getContext('2d')!;
      for (let row = 0; row < 10; row++) {
        drawing.fillStyle = `hsl(${row * 36} 80% 50%)`;
        drawing.fillRect(0, (row * height) / 10, width, height / 10);
      }
      return [...new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer())];
    },
    { width, height, type },
  );
}

/**
 * @param text A text on the same clipboard. @returns Whether the page handled the paste; otherwise the browser pastes
 * the text.
 */
function paste(page: Page, name: string, bytes: readonly number[], text = ''): Promise<boolean> {
  return page.getByRole('textbox', { name: 'Your question' }).evaluate(
    (field, { name, bytes, text }) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([Uint8Array.from(bytes)], name, { type: 'image/png' }));
      if (text !== '') for (const type of ['text/plain', 'text/html']) clipboardData.setData(type, text);
      const event = new ClipboardEvent('paste', { bubbles: true, composed: true, cancelable: true });
      // In Firefox the clipboard of a scripted event has no files.
      Object.defineProperty(event, 'clipboardData', { value: clipboardData });
      field.dispatchEvent(event);
      return event.defaultPrevented;
    },
    { name, bytes, text },
  );
}

/** Runs an action of a message by its button or, in a browser without a mouse, by the message's menu. */
async function fromMessage(page: Page, kind: 'answer' | 'question', action: string): Promise<void> {
  const chat = new ChatPage(page);
  const message = (kind === 'answer' ? chat.answers : chat.questions).last();
  const menu = message.getByRole('button', { name: 'More actions' });
  const button = message.getByRole('button', { name: action });
  await expect(menu.or(button).first()).toBeVisible();
  if (await button.isVisible()) return button.click();
  await menu.click();
  await page.getByRole('menuitem', { name: action }).click();
}

/**
 * Scripts a model that accepts images and one, `other`, that does not. The returned function returns the last message
 * of each request.
 */
async function scriptEyes(page: Page): Promise<() => Promise<readonly unknown[]>> {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  await page.addInitScript(() => {
    const scripted = window.fetch;
    window.fetch = async (input, init) => {
      const address = String(input);
      if (address.endsWith('v1/chat/completions')) {
        const { messages } = JSON.parse(await new Response(init?.body).text()) as { messages: { content: unknown }[] };
        const asked = JSON.parse(sessionStorage.getItem('asked') ?? '[]') as unknown[];
        sessionStorage.setItem('asked', JSON.stringify([...asked, messages.at(-1)!.content]));
        Object.assign(window, { lastRequest: messages });
      }
      const response = await scripted(input, init);
      if (!address.endsWith('v1/models')) return response;
      const list = (await response.json()) as { data: { id: string; tabserve: { capabilities: object } }[] };
      const [pocket, ...others] = list.data;
      pocket!.tabserve.capabilities = { ...pocket!.tabserve.capabilities, images: true };
      return Response.json({ ...list, data: [pocket, ...others, { id: 'other', context_window: 2048 }] });
    };
  });
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('asked') ?? '[]') as unknown[]);
}
