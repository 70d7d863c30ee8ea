import { expect, type Page } from '@playwright/test';
import { ChatPage } from './chat-page.ts';
import { openSpecimen } from '../sites/gallery.ts';

/** A screen, or a part of one, in its state with the most content, as a specimen of the gallery. */
export interface Screen {
  readonly name: string;
  /** Name of the gallery's specimen. */
  readonly specimen: `chat-app/${string}`;
  readonly phone?: boolean;
  /** Shows the parts of the screen that the specimen does not show initially. */
  open(page: Page): Promise<void>;
}

/** A dialog or menu above a screen, and the control that opens it. */
export interface Overlay extends Screen {
  /** Focuses the control that opens the overlay, which gets the focus again when the overlay closes. */
  readonly open: Screen['open'];
  /** The keys that open the overlay, or the menu with its item. Default: those that press a button. */
  readonly keys?: readonly string[];
  /** The last item of a menu, which opens the overlay, if the control opens that menu. */
  readonly item?: string;
  /** Accessible name of the overlay. */
  readonly label: string | RegExp;
}

const PHONE = { width: 320, height: 640 };

async function newKey(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('another');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('status', { name: 'The new key' })).toBeVisible();
}

export const SCREENS: readonly Screen[] = [
  {
    name: 'the empty page, where no model can run',
    specimen: 'chat-app/unsupported',
    async open(page) {
      await expect(page.getByRole('heading', { name: /does not offer WebGPU/ })).toBeVisible();
    },
  },
  {
    name: 'a chat with every kind of answer',
    specimen: 'chat-app/chat',
    async open(page) {
      // Parts outside the viewport are not laid out, so axe would not judge them.
      await page.locator('answer-message').first().scrollIntoViewIfNeeded();
      await expect(page.getByRole('heading', { name: 'Three' })).toBeVisible();
      await page.getByText('Thought before answering').click();
    },
  },
  {
    name: 'a question that is edited',
    specimen: 'chat-app/chat',
    async open(page) {
      const { questions } = new ChatPage(page);
      await questions.first().getByRole('button', { name: 'Edit the question' }).click();
    },
  },
  {
    name: 'the proof of offline use',
    specimen: 'chat-app/unsupported',
    async open(page) {
      await page.getByText('Not ready for offline use yet').click();
      await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
    },
  },
  {
    name: 'models',
    specimen: 'chat-app/models',
    async open(page) {
      await expect(page.getByRole('article', { name: 'Sample-failed' })).toContainText('answered 404');
      await expect(page.getByRole('button', { name: 'Resume the download of Sample-paused' })).toBeVisible();
      await page.getByRole('combobox', { name: 'Show' }).selectOption('Everything');
    },
  },
  {
    name: 'the models screen, where no model can run',
    specimen: 'chat-app/models-unsupported',
    async open(page) {
      await expect(page.getByText('Once this browser offers a graphics processor')).toBeVisible();
    },
  },
  {
    name: 'the developers’ corner',
    specimen: 'chat-app/developers-unsupported',
    async open(page) {
      await newKey(page);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByRole('region', { name: 'Raw response' })).toContainText('gpu_unavailable');
    },
  },
  {
    name: 'privacy',
    specimen: 'chat-app/privacy',
    async open(page) {
      await expect(page.getByText("default-src 'none'")).toBeVisible();
    },
  },
  {
    name: 'the empty page on a phone',
    specimen: 'chat-app/unsupported',
    phone: true,
    async open(page) {
      await expect(page.getByRole('heading', { name: /does not offer WebGPU/ })).toBeVisible();
    },
  },
  {
    name: 'a chat on a phone',
    specimen: 'chat-app/chat',
    phone: true,
    async open(page) {
      await expect(new ChatPage(page).answers.last()).toBeVisible();
    },
  },
];

export const OVERLAYS: readonly Overlay[] = [
  {
    name: 'the settings of a chat',
    specimen: 'chat-app/unsupported',
    label: 'Settings of this chat',
    async open(page) {
      await page.getByRole('button', { name: 'Settings of this chat' }).focus();
    },
  },
  {
    name: 'the shortcuts',
    specimen: 'chat-app/unsupported',
    label: 'Keyboard shortcuts',
    keys: ['Control+/'],
    async open(page) {
      await page.getByRole('button', { name: 'Settings and more' }).focus();
    },
  },
  {
    name: 'the palette',
    specimen: 'chat-app/chat',
    label: 'Actions and chats',
    keys: ['Control+k'],
    async open(page) {
      await new ChatPage(page).field.focus();
    },
  },
  {
    name: 'the ways to make room',
    specimen: 'chat-app/chat',
    label: 'Make room',
    async open(page) {
      await page.getByRole('button', { name: /tokens that this model can take in at once/ }).focus();
    },
  },
  {
    name: 'the question before a message is deleted',
    specimen: 'chat-app/chat',
    label: 'Delete this message?',
    item: 'Delete from here',
    async open(page) {
      const { questions } = new ChatPage(page);
      // The button is replaced when its menu first opens.
      await questions.last().getByRole('button', { name: 'More actions' }).press('Enter');
      await expect(page.getByRole('menuitem').first()).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menuitem')).toHaveCount(0);
      await questions.last().getByRole('button', { name: 'More actions' }).focus();
    },
  },
  {
    name: 'the question before a download is cancelled',
    specimen: 'chat-app/models',
    label: 'Cancel this download?',
    async open(page) {
      await page.getByRole('button', { name: 'Cancel the download of Sample-paused' }).focus();
    },
  },
  {
    name: 'the question before a key is revoked',
    specimen: 'chat-app/developers',
    label: 'Revoke this key?',
    async open(page) {
      await page.getByRole('button', { name: 'Revoke the key notebook' }).focus();
    },
  },
  {
    name: 'the question before everything is deleted',
    specimen: 'chat-app/privacy',
    label: 'Delete everything?',
    async open(page) {
      await page.getByRole('button', { name: 'Delete everything' }).focus();
    },
  },
  {
    name: 'the menu on a phone',
    specimen: 'chat-app/unsupported',
    phone: true,
    label: 'Menu',
    async open(page) {
      await page.getByRole('button', { name: 'Open the menu' }).focus();
    },
  },
];

/** Opens the page with the width that the screen needs, and then the screen. */
export async function openScreen(screen: Screen, page: Page): Promise<void> {
  if (screen.phone === true) await page.setViewportSize(PHONE);
  await openSpecimen(page, screen.specimen);
  await screen.open(page);
}
