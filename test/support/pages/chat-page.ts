import { expect, type Locator, type Page } from '@playwright/test';
import { openSite } from './site-page.ts';

/** A question that the built-in model answers at length, so that a test has time to interrupt it. */
export const LONG_QUESTION = 'Tell me a story about a dog.';

/** The chat page, with the actions of a user. */
export class ChatPage {
  readonly page: Page;
  readonly field: Locator;
  readonly answers: Locator;
  readonly questions: Locator;

  constructor(page: Page) {
    this.page = page;
    this.field = page.getByRole('textbox', { name: 'Your question', exact: true });
    this.answers = page.getByRole('article', { name: /answered$/ });
    this.questions = page.getByRole('article', { name: 'You asked' });
  }

  /** Opens the page and waits until the built-in model can answer. */
  static async open(page: Page, path = '/'): Promise<ChatPage> {
    await openSite(page, path);
    return new ChatPage(page);
  }

  /** Sends a question and waits for the end of its answer. */
  async ask(question: string): Promise<string> {
    await this.send(question);
    return this.answered();
  }

  async send(question: string): Promise<void> {
    await this.field.fill(question);
    await this.field.press('Enter');
  }

  /** Waits until the last answer is complete and drawn to its end. */
  async answered(): Promise<string> {
    await expect(this.page.getByRole('button', { name: 'Send', exact: true })).toBeVisible({ timeout: 200_000 });
    // An element of the class `room` reserves the place of the actions until the text is drawn.
    await expect(this.answers.last().locator('.room')).toHaveCount(0);
    return this.text();
  }

  /** Waits until the last answer has some text and is still growing. */
  async growing(): Promise<void> {
    await expect.poll(() => this.text(), { timeout: 200_000, intervals: [50] }).toMatch(/\w{3}/);
  }

  /** Returns the text of the last answer. */
  async text(): Promise<string> {
    const words = await this.answers.last().locator('markdown-text').locator('.plain, .blocks, .open').allInnerTexts();
    return words.join('\n').trim();
  }

  async stop(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await expect(this.notice('You stopped this answer.').last()).toBeVisible();
  }

  /** Finds a text among the messages. Texts for screen readers only are outside this region. */
  notice(words: string): Locator {
    return this.page.getByRole('region', { name: 'Conversation' }).getByText(words);
  }

  /** Fills in fields of the settings dialog by their labels, and saves. */
  async settings(fields: Readonly<Record<string, string>>): Promise<void> {
    await this.page.getByRole('button', { name: 'Settings of this chat' }).click();
    const dialog = this.dialog;
    await this.showAdvanced();
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    // Until the dialog has closed, the rest of the page ignores keys.
    await expect(this.page.getByRole('dialog')).toBeHidden();
  }

  /** Unfolds the rarely used settings in the open dialog. */
  async showAdvanced(): Promise<void> {
    const advanced = this.dialog.locator('details > summary', { hasText: 'Advanced' });
    const isFolded = await advanced.evaluate((summary) => !summary.matches('details[open] > summary'));
    if (isFolded) await advanced.click();
  }

  /** Opens the menu of a message and deletes it, with what follows it. The dialog that asks stays open. */
  async deleteFrom(message: Locator): Promise<void> {
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await message.getByRole('menuitem', { name: 'Delete from here' }).click();
  }

  /** Ends the temporary chat, which has contents, and confirms it. */
  async endTemporary(): Promise<void> {
    await this.page.getByRole('button', { name: 'End now' }).click();
    await this.page.getByRole('button', { name: 'End it', exact: true }).click();
    await expect(this.page.getByRole('complementary', { name: 'Temporary chat' })).toHaveCount(0);
  }

  /** Switches a tool on for this chat. */
  async useTool(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Tools$|tools? of this chat/ }).click();
    await this.dialog.getByRole('checkbox', { name }).check();
    await this.dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(this.page.getByRole('dialog')).toBeHidden();
  }

  /** The tool calls of each answer. */
  get calls(): Locator {
    return this.page.getByRole('list', { name: 'Tool requests' });
  }

  /** Chooses an action from the menu of a chat in the list. */
  async fromMenu(title: string | RegExp, action: string): Promise<void> {
    const item = this.page.getByRole('listitem').filter({ hasText: title });
    await item.hover();
    await item.getByRole('button', { name: /^Actions for/ }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Chooses an action from the page's menu. */
  async fromSettings(action: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Settings and more' }).click();
    const item = this.page.getByRole('menuitem', { name: action });
    await item.or(this.page.getByRole('menuitemcheckbox', { name: action })).click();
  }

  /** The open dialog. Its content is slotted, so it is inside the element, but not inside the element with the role. */
  get dialog(): Locator {
    return this.page.locator('wa-dialog[open]');
  }

  chatInList(title: string | RegExp): Locator {
    return this.page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: title });
  }
}
