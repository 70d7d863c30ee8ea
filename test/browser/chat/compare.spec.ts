import { expect, type Locator } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { chatWithTwoModels } from '../../support/pages/chat-with-two-models.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

test('a question can be sent to another model, whose answer stands beside the first and can be continued', async ({
  page,
}) => {
  const chat = await chatWithTwoModels(page);
  const first = chat.answers.first();
  // In a browser without a mouse, such as Firefox in tests, the action is in the menu of the message.
  const menu = first.getByRole('button', { name: 'More actions' });
  const choice = first.getByRole('combobox', { name: 'Ask another model too' });
  await expect(menu.or(choice).first()).toBeVisible();
  if (await choice.isVisible()) await choice.selectOption('other');
  else {
    await menu.click();
    await page.getByRole('menuitem', { name: 'Ask other too' }).click();
  }
  await expect(chat.answers).toHaveCount(2);
  await chat.answered();
  const second = chat.answers.nth(1);
  await expect(second).toContainText('An answer.');
  await expect(first.getByRole('button', { name: 'Go on with this answer' })).toHaveCount(0);

  await page.setViewportSize({ width: 1440, height: 800 });
  const sides = async () => {
    const [left, right] = [(await first.boundingBox())!, (await second.boundingBox())!];
    return { isBeside: right.x >= left.x + left.width, isBelow: right.y >= left.y + left.height };
  };
  // A window takes a while to get its new size.
  await expect.poll(sides).toEqual({ isBeside: true, isBelow: false });
  await expectNamesOnTop(chat.answers, ['Pocket', 'other']);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(sides).toEqual({ isBeside: false, isBelow: true });
  await expectNamesOnTop(chat.answers, ['Pocket', 'other']);

  await page.reload();
  await expect(chat.answers).toHaveCount(2);
  await second.getByRole('button', { name: 'Go on with this answer' }).press('Enter');
  await expect(first.getByRole('button', { name: 'Go on with this answer' })).toBeVisible();
  await expect(second.getByRole('button', { name: 'Go on with this answer' })).toHaveCount(0);
  // The focus is at the next button of the answer.
  await expect(second.getByRole('button', { name: 'Ask again', exact: true })).toBeFocused();
});

test('a further model that is asked from the second column takes the place of that column', async ({ page }) => {
  const chat = await chatWithTwoModels(page);
  await chat.answers.first().getByRole('combobox', { name: 'Ask another model too' }).selectOption('other');
  await expect(chat.answers).toHaveCount(2);
  await chat.answered();
  const second = chat.answers.nth(1);
  await second.getByRole('combobox', { name: 'Ask another model too' }).selectOption('pocket');
  await expect(second.getByText('Version 3 of 3')).toBeAttached();
  await chat.answered();
  await expect(second).toContainText('An answer.');
  await expectNamesOnTop(chat.answers, ['Pocket', 'Pocket']);
});

test('a question that is asked in the moment after another model is chosen goes to that model', async ({ page }) => {
  const chat = await chatWithTwoModels(page);
  const asked = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const scripted = window.fetch;
        window.fetch = async (input, init) => {
          if (String(input).endsWith('v1/chat/completions'))
            resolve(((await new Response(init?.body).json()) as { model: string }).model);
          return scripted(input, init);
        };
      }),
  );
  await chat.field.fill('And then?');
  // In one task, so that nothing can be stored between the choice and the question.
  const model = page.getByRole('combobox', { name: 'Model', exact: true });
  await model.evaluate((select: HTMLSelectElement) => {
    select.value = 'other';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    const field = (select.getRootNode() as ShadowRoot).querySelector('textarea')!;
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  expect(await asked).toBe('other');
  await chat.answered();
  await expect(model).toHaveValue('other');
  await page.reload();
  await expect(model).toHaveValue('other');
});

test('a comparison answer can be stopped and retried, is requested only once, and is restored with its deleted chat', async ({
  page,
}) => {
  const chat = await chatWithTwoModels(page, { text: 'word '.repeat(2000), pieceLength: 20, interval: 40 });
  const choice = chat.answers.first().getByRole('combobox', { name: 'Ask another model too' });
  await choice.evaluate((field: HTMLSelectElement) => {
    for (let times = 0; times < 2; times += 1) {
      field.value = 'other';
      field.dispatchEvent(new Event('change'));
    }
  });
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.answers.first().getByText('Version 1 of 2')).toBeAttached();
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.answers).toHaveCount(0);
  await chat.chatInList('Why?').click();
  await chat.stop();
  await chat.answers.nth(1).getByRole('button', { name: 'Try again' }).click();
  await chat.growing();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.notice('You stopped this answer.')).toHaveCount(0);
  const text = chat.answers.nth(1).locator('markdown-text');
  const written = await page.locator('conversation-item').evaluate(
    (item, growing) => {
      item.dispatchEvent(new CustomEvent('action', { detail: 'delete' }));
      return Reflect.get(growing!, 'text') as string;
    },
    await text.elementHandle(),
  );
  await expect(chat.answers).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.answers.nth(1).getByText('You stopped this answer.')).toBeVisible();
  const restored = await text.evaluate((text) => Reflect.get(text, 'text') as string);
  expect(restored.startsWith(written), `${restored} has lost the end of ${written}`).toBe(true);
  await chat.deleteFrom(chat.answers.first());
  await chat.dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers.getByText('You stopped this answer.')).toBeVisible();
});

test('an answer is read aloud by a voice of this device and can be stopped; without a voice the button is absent @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'First **part**.\n\nSecond part.', pieceLength: 8, interval: 0 });
  await page.addInitScript(() => {
    const spoken: string[] = [];
    const voices = [
      { name: 'far', lang: 'en-US', localService: false },
      ...(location.search === '?voices' ? [{ name: 'near', lang: 'en-US', localService: true }] : []),
    ];
    class Utterance extends EventTarget {
      readonly text: string;
      voice = { name: '' };
      constructor(text: string) {
        super();
        this.text = text;
      }
    }
    const queue: Utterance[] = [];
    const speechSynthesis = Object.assign(new EventTarget(), {
      getVoices: () => voices,
      speak: (utterance: Utterance) => {
        spoken.push(`${utterance.voice.name}: ${utterance.text}`);
        queue.push(utterance);
      },
      cancel: () => {
        // Browsers report only the paragraph that is being spoken.
        queue.splice(0)[0]?.dispatchEvent(new Event('error'));
      },
    });
    Object.defineProperties(globalThis, {
      speechSynthesis: { value: speechSynthesis },
      SpeechSynthesisUtterance: { value: Utterance },
      spoken: { value: spoken },
    });
  });
  const chat = await ChatPage.open(page);
  await chat.ask('Read to me');
  await expect(chat.answers.last().getByRole('button', { name: 'Copy the answer' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Read aloud' })).toHaveCount(0);

  await page.goto(`/?voices${new URL(page.url()).hash}`);
  await page.getByRole('button', { name: 'Read aloud' }).click();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'spoken') as string[])).toEqual([
    'near: First part.',
    'near: Second part.',
  ]);
  await page.getByRole('button', { name: 'Stop reading aloud' }).click();
  await expect(page.getByRole('button', { name: 'Read aloud' })).toBeVisible();
});

/** Expects that each answer begins with the name of its model, above its text. */
async function expectNamesOnTop(answers: Locator, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    const answer = answers.nth(index);
    const [heading, text] = [answer.getByRole('heading', { name, exact: true }), answer.locator('markdown-text')];
    await expect(heading).toBeVisible();
    const [above, below] = [(await heading.boundingBox())!, (await text.boundingBox())!];
    expect(above.y + above.height).toBeLessThanOrEqual(below.y);
  }
}
