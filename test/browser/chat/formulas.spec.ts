import { expect } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const ANSWER = String.raw`Euler: \(e^{i\pi} + 1 = 0\), for $5 or $6.

\[
\frac{a}{b}
\]

Code: ${'`$x$`'}

\[
\sqrt{unfinished`;

test('formulas are drawn while an answer grows and are copied as source, and pages without formulas do not load the converter @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: ANSWER, pieceLength: 3, interval: 5 });
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(request.url()));
  const chat = await ChatPage.open(page);
  const isMathLoaded = () => loaded.some((address) => /formula-to-mathml/.test(address));
  expect(isMathLoaded()).toBe(false);
  await chat.ask('Tell me');
  const answer = chat.answers.last();
  await expect(answer.locator('math')).toHaveCount(2);
  await expect(answer.locator('math').first().locator('msup')).toHaveText('eiπ');
  await expect(answer.locator('.formula.display mfrac')).toBeVisible();
  await expect(answer.getByRole('paragraph').first()).toContainText('for $5 or $6.');
  await expect(answer.locator('code', { hasText: '$x$' })).toBeVisible();
  await expect(answer).toContainText('\\sqrt{unfinished');

  const line = (await answer.getByRole('paragraph').first().boundingBox())!;
  await page.mouse.move(line.x + 1, line.y + 12);
  await page.mouse.down();
  await page.mouse.move(line.x + line.width - 1, line.y + 12, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.press('ControlOrMeta+c');
  await chat.field.click();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(chat.field).toHaveValue(/^Euler: \\\(e\^\{i\\pi\} \+ 1 = 0\\\)\s?, for \$5 or \$6\.\s*$/);
});
