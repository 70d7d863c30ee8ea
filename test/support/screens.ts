import type { Page } from '@playwright/test';
import { ChatPage } from './chat-page.ts';
import { everyAnswer } from './every-answer.ts';
import { builtInPackage, expect, SLOWLY, type ModelSite } from './model-site.ts';
import { ModelsPage } from './models-page.ts';

/** A screen, or a part of one, in the state in which it has most to show. */
export interface Screen {
  readonly name: string;
  readonly phone?: boolean;
  /** True if only a browser in which a model can run has something to show. */
  readonly needsEngine?: boolean;
  open(page: Page, models: ModelSite): Promise<void>;
}

/** Something that opens above a screen, and the control that opens it. */
export interface Overlay extends Screen {
  /** Leaves the control focused that opens it. */
  readonly open: Screen['open'];
  /** Its name for those who cannot see it. */
  readonly label: string | RegExp;
}

const PHONE = { width: 320, height: 640 };

async function everyAnswerOpen(page: Page): Promise<ChatPage> {
  const chat = new ChatPage(page);
  await page.locator('input[type=file]').setInputFiles(everyAnswer());
  await chat.chatInList('Every answer').click();
  await expect(chat.answers.last()).toBeVisible();
  return chat;
}

async function downloads(page: Page, { server, origin }: ModelSite): Promise<ModelsPage> {
  server.add('/slow/', builtInPackage());
  server.bytesPerSecond = SLOWLY;
  const manager = await ModelsPage.open(page);
  await manager.add('slow', `${origin}/slow/`);
  await manager.add('gone', `${origin}/gone/`);
  await expect(manager.card('gone')).toContainText('answered 404');
  await manager.button('Pause the download of slow').click();
  await expect(manager.button('Resume the download of slow')).toBeVisible();
  // A few of the many equal cards stand for all.
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('SmolLM2 360M');
  await page.getByLabel('Only what can run here').uncheck();
  await expect(page.getByText(/^\d of 161 models$/)).toBeVisible();
  return manager;
}

async function keyMade(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByLabel('Name', { exact: true }).fill('notebook');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await expect(page.getByRole('status', { name: 'The new key' })).toBeVisible();
}

async function privacyRead(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByText("default-src 'none'")).toBeVisible();
}

export const SCREENS: readonly Screen[] = [
  {
    name: 'the empty page, where no model can run',
    async open(page) {
      await expect(page.getByRole('heading', { name: /does not offer WebGPU/ })).toBeVisible();
    },
  },
  {
    name: 'a chat with every kind of answer',
    async open(page) {
      await everyAnswerOpen(page);
      // What is off the screen is not laid out, so axe would not judge it.
      await page.locator('answer-message').first().scrollIntoViewIfNeeded();
      await expect(page.getByRole('heading', { name: 'Three' })).toBeVisible();
      await page.getByText('Thought before answering').click();
    },
  },
  {
    name: 'a question that is edited',
    async open(page) {
      const chat = await everyAnswerOpen(page);
      await chat.questions.first().getByRole('button', { name: 'Edit the question' }).click();
    },
  },
  {
    name: 'the proof of offline use',
    async open(page) {
      await page.getByText('Not offline-ready yet').click();
      await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
    },
  },
  {
    name: 'models',
    needsEngine: true,
    async open(page, models) {
      await downloads(page, models);
    },
  },
  {
    name: 'the models screen, where no model can run',
    async open(page) {
      await page.getByRole('link', { name: 'Models', exact: true }).click();
      await expect(page.getByText('Which models can run here shows as soon as')).toBeVisible();
    },
  },
  {
    name: 'the developers’ corner',
    async open(page) {
      await keyMade(page);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByRole('region', { name: 'What came back, byte for byte' })).toContainText(
        'gpu_unavailable',
      );
    },
  },
  { name: 'privacy', open: privacyRead },
  {
    name: 'the empty page on a phone',
    phone: true,
    async open(page) {
      await expect(page.getByRole('heading', { name: /does not offer WebGPU/ })).toBeVisible();
    },
  },
  {
    name: 'a chat on a phone',
    phone: true,
    async open(page) {
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await everyAnswerOpen(page);
    },
  },
];

export const OVERLAYS: readonly Overlay[] = [
  {
    name: 'the settings of a chat',
    label: 'Settings of this chat',
    async open(page) {
      await page.getByRole('button', { name: 'Settings of this chat' }).focus();
    },
  },
  {
    name: 'the shortcuts',
    label: 'Keyboard shortcuts',
    async open(page) {
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).focus();
    },
  },
  {
    name: 'the question before a message is deleted',
    label: 'Delete this message?',
    async open(page) {
      const chat = await everyAnswerOpen(page);
      await chat.questions.last().getByRole('button', { name: 'Delete from here' }).focus();
    },
  },
  {
    name: 'the question before a download is cancelled',
    needsEngine: true,
    label: 'Cancel this download?',
    async open(page, models) {
      const manager = await downloads(page, models);
      await manager.button('Cancel the download of slow').focus();
    },
  },
  {
    name: 'the question before a key is revoked',
    label: 'Revoke this key?',
    async open(page) {
      await keyMade(page);
      await page.getByRole('button', { name: 'Revoke the key notebook' }).focus();
    },
  },
  {
    name: 'the question before everything is deleted',
    label: 'Delete everything?',
    async open(page) {
      await privacyRead(page);
      await page.getByRole('button', { name: 'Delete everything' }).focus();
    },
  },
  {
    name: 'the menu on a phone',
    phone: true,
    label: 'Menu',
    async open(page) {
      await page.getByRole('button', { name: 'Open the menu' }).focus();
    },
  },
];

/** Opens the page as wide as a screen needs it, and then the screen. */
export async function openScreen(screen: Screen, page: Page, models: ModelSite): Promise<void> {
  if (screen.phone === true) await page.setViewportSize(PHONE);
  await page.goto(models.url);
  await screen.open(page, models);
}
