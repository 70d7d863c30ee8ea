import { expect } from '@playwright/test';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { test } from '../../support/pages/shared-context.ts';

/**
 * Texts that blocked the page for minutes in an earlier build, because highlighting, formulas and emphasis take
 * quadratic time.
 */
const LONG_TEXTS = {
  'a word in a code block': `\`\`\`js\n${'a1_'.repeat(100_000)}\n\`\`\``,
  'a word that the highlighter gives up on': `\`\`\`js\n${'a1_'.repeat(16_000)}\n\`\`\``,
  'a word with underlines': 'a1_'.repeat(100_000),
  'a line of formulas': '$x$ '.repeat(20_000),
  'a paragraph of different formulas': Array.from({ length: 250 }, (_, index) => `$x_{${index}}^2$`).join(' '),
  'a line of brackets': '[a]('.repeat(50_000),
};

for (const [name, text] of Object.entries(LONG_TEXTS)) {
  test(`an answer with ${name} is shown whole, and the code after it is highlighted`, async ({ page }) => {
    const answer = `${text}\n\n\`\`\`js\nconst after = 1;\n\`\`\`\n\nThe end.`;
    const file = conversationFile([
      {
        conversation: sampleConversation({ id: 'long', title: 'Long', leaf: 'a' }),
        messages: [
          sampleQuestion({ id: 'q', parent: null, created: 1 }),
          sampleAnswer({ id: 'a', parent: 'q', created: 2, text: answer }),
        ],
      },
    ]);
    await page.goto('/');
    await page
      .locator('conversation-list input[type=file]')
      .setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await page.getByRole('link', { name: 'Long' }).click();
    const shown = page.locator('answer-message markdown-text');
    await expect(shown.getByText('The end.')).toBeVisible();
    await expect(shown.locator('.hljs-keyword', { hasText: 'const' })).toBeVisible();
    // The page reacts while and after the long block is drawn.
    await page.getByRole('link', { name: 'New chat' }).click();
    await expect(page.getByRole('textbox', { name: 'Your question' })).toBeFocused();
  });
}
