import { chromium, expect } from '@playwright/test';
import { messageStrings } from '../../src/chat/strings/message-strings.ts';
import { launchOptionsWithoutGpu } from '../support/browsers/without-gpu.ts';
import { ChatPage } from '../support/pages/chat-page.ts';
import { reachState } from '../support/pages/site-page.ts';
import type { Asker } from './asker.ts';

/**
 * Opens the site in a browser without WebGPU, to ask as a person does, in the chat page. The page loads the site's own
 * GGUF model if there is one, else the built-in model.
 * @param maxTokens Maximum tokens of an answer; null means no maximum.
 */
export async function openChat(siteUrl: string, maxTokens: string | null): Promise<Asker> {
  const browser = await chromium.launch(launchOptionsWithoutGpu('chromium'));
  const page = await browser.newPage();
  await page.goto(siteUrl);
  await reachState(page, 'ready');
  const chat = new ChatPage(page);
  return {
    ask: async (question) => {
      await page.getByRole('link', { name: 'New chat' }).click();
      if (maxTokens !== null) await chat.settings({ 'Maximum length': maxTokens });
      await chat.send(question);
      // Before, the page looks as after an answer.
      await expect(chat.answers).toHaveCount(1);
      const text = await chat.answered();
      return { text, isStuck: await chat.notice(messageStrings.stuck).isVisible() };
    },
    close: () => browser.close(),
  };
}
