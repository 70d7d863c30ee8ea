import type { Page } from '@playwright/test';
import { ChatPage } from './chat-page.ts';
import { scriptAnswers, type ScriptedStream } from '../samples/scripted-stream.ts';

/**
 * Opens the chat page with scripted answers and a second model, `other`, in its list of models. One question has been
 * answered.
 * @param answer Default: a short answer, sent immediately.
 */
export async function chatWithTwoModels(
  page: Page,
  answer: ScriptedStream = { text: 'An answer.', pieceLength: 4, interval: 0 },
): Promise<ChatPage> {
  await scriptAnswers(page, answer);
  await listAnotherModel(page);
  const chat = await ChatPage.open(page);
  await chat.ask('Why?');
  return chat;
}

/** Adds a second model, `other`, to the list of models that a page reads. */
export async function listAnotherModel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const realFetch = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const response = await realFetch(input, init);
      if (!String(input).endsWith('v1/models')) return response;
      const list = (await response.json()) as { data: object[] };
      return Response.json({ ...list, data: [...list.data, { id: 'other', context_window: 2048 }] });
    };
  });
}
