import type { Locator, Page } from '@playwright/test';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { chatFile } from '../person/chat-file.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { shownText } from './find-words.ts';
import { FIRST_OF_ANSWER, WORD_OF_ANSWER, type TrackedPage } from './tracked-page.ts';

/** What a person does, and notes each word on the way. */
export type Action = (tab: TrackedPage, random: SeededRandom) => Promise<void>;

let count = 0;

/** Returns a word that occurs nowhere else. */
function newWord(): string {
  count += 1;
  return `w${count}w`;
}

const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Your question' });
const chats = (page: Page): Locator => page.getByRole('navigation', { name: 'Chats' }).getByRole('link');

async function typeWords(tab: TrackedPage, into: Locator, number: number): Promise<void> {
  for (let index = 0; index < number; index += 1) {
    const word = newWord();
    await into.pressSequentially(`${word} `);
    tab.note(word);
  }
}

/** Waits for the first words of an answer, and notes its words while it grows. */
async function watchAnswer(tab: TrackedPage, times: number): Promise<void> {
  await tab.page.getByText(FIRST_OF_ANSWER).first().waitFor();
  for (let time = 0; time < times; time += 1) {
    for (const [word] of (await shownText(tab.page)).matchAll(WORD_OF_ANSWER)) tab.note(word);
    await tab.page.waitForTimeout(100);
  }
}

/** Imports a chat with a question and an answer. */
export async function importChat(tab: TrackedPage): Promise<void> {
  const [title, question, answer] = [newWord(), newWord(), newWord()];
  const file = chatFile({ title, question, answer });
  await tab.page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'c.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await chats(tab.page).filter({ hasText: title }).waitFor();
  for (const word of [title, question, answer]) tab.note(word);
}

async function openChat({ page }: TrackedPage): Promise<void> {
  await chats(page).first().click();
  await page.locator('question-message').first().waitFor();
}

async function send(tab: TrackedPage): Promise<void> {
  await typeWords(tab, field(tab.page), 2);
  await field(tab.page).press('Enter');
  await emptied(tab);
}

/** Resolves when the text has left the field, because it is asked or waits. */
async function emptied({ page }: TrackedPage): Promise<void> {
  await page.locator('message-composer textarea:placeholder-shown').waitFor();
}

export const ACTIONS: Readonly<Record<string, Action>> = {
  typing: (tab, random) => typeWords(tab, field(tab.page), random.integer(3, 30)),
  'typing in a chat': async (tab, random) => {
    await openChat(tab);
    await typeWords(tab, field(tab.page), random.integer(3, 30));
  },
  'sending and answering': async (tab, random) => {
    await send(tab);
    await watchAnswer(tab, random.integer(1, 30));
  },
  queueing: async (tab, random) => {
    await send(tab);
    await watchAnswer(tab, 2);
    for (let time = random.integer(1, 3); time > 0; time -= 1) await send(tab);
    await typeWords(tab, field(tab.page), random.integer(0, 5));
  },
  editing: async (tab, random) => {
    await openChat(tab);
    const { page } = tab;
    await page.locator('question-message').first().hover();
    await page.getByRole('button', { name: 'Edit the question' }).first().click();
    const editor = page.getByRole('textbox', { name: 'Edit your question' });
    await typeWords(tab, editor, random.integer(2, 20));
    if (random.chance(0.5)) return;
    await editor.press('Enter');
    await watchAnswer(tab, 10);
  },
  regenerating: async (tab, random) => {
    await openChat(tab);
    await tab.page.locator('answer-message').last().hover();
    await tab.page.getByRole('button', { name: 'Ask again' }).last().click();
    await typeWords(tab, field(tab.page), random.integer(1, 10));
    await watchAnswer(tab, 10);
  },
  attaching: async (tab, random) => {
    const name = newWord();
    await dropFiles(tab.page, [{ name: `${name}.txt`, parts: ['The dog is called Rex.'] }]);
    await tab.page.locator('attachment-tray').getByText(name).waitFor();
    tab.note(name);
    await typeWords(tab, field(tab.page), random.integer(1, 10));
    if (random.chance(0.5)) return;
    await field(tab.page).press('Enter');
    await emptied(tab);
    await watchAnswer(tab, 10);
  },
  importing: async (tab, random) => {
    await typeWords(tab, field(tab.page), random.integer(1, 10));
    await importChat(tab);
  },
};
