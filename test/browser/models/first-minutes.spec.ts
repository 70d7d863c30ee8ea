import { chromium, expect, test, type Page } from '@playwright/test';
import { REFUSALS } from '../../../src/chat/conversation/refusals/refusal-texts.ts';
import { attachmentStrings } from '../../../src/chat/strings/attachment-strings.ts';
import { emptyStrings } from '../../../src/chat/strings/conversation-strings.ts';
import { attachmentStrings as germanAttachments } from '../../../src/chat/strings/german/attachment-strings.ts';
import { emptyStrings as germanEmpty } from '../../../src/chat/strings/german/conversation-strings.ts';
import { offerStrings as germanOffer } from '../../../src/chat/strings/german/offer-strings.ts';
import { offerStrings } from '../../../src/chat/strings/offer-strings.ts';
import { launchOptionsWithoutGpu } from '../../support/browsers/without-gpu.ts';
import { fakeSpeed } from '../../support/pages/fake-speed.ts';
import { reachState } from '../../support/pages/site-page.ts';

const LANGUAGES = {
  en: { empty: emptyStrings, offer: offerStrings, files: attachmentStrings, question: 'Who painted the Mona Lisa?' },
  de: { empty: germanEmpty, offer: germanOffer, files: germanAttachments, question: 'Wer hat die Mona Lisa gemalt?' },
} as const;

/** Any two of the three properties occur together in each combination. */
const WALKS = [
  { gpu: true, size: { width: 1440, height: 900 }, language: 'en' },
  { gpu: true, size: { width: 390, height: 844 }, language: 'de' },
  { gpu: false, size: { width: 1440, height: 900 }, language: 'de' },
  { gpu: false, size: { width: 390, height: 844 }, language: 'en' },
] as const;

/** Whether the offer on the first screen has what a choice needs: size, speed, and what each model is good for. */
async function expectOffer(page: Page, { offer }: (typeof LANGUAGES)['en' | 'de']): Promise<void> {
  const card = page.getByRole('region', { name: offer.title });
  await expect(card).toContainText(offer.reasons.slow);
  await expect(card.getByRole('listitem')).toHaveCount(2);
  await expect(card.getByRole('listitem').first()).toContainText(
    /SmolLM2 135M.*98\sMB.*Token|SmolLM2 135M.*98\sMB.*token/s,
  );
  await expect(card.getByRole('button').first()).toHaveAccessibleName(offer.get('SmolLM2 135M', '98\u00a0MB'));
  await expect(card.getByRole('button').first()).toBeInViewport({ ratio: 1 });
}

for (const { gpu, size, language } of WALKS) {
  const said = `${gpu ? 'with' : 'without'} WebGPU, ${size.width} pixels wide, in ${language}`;
  test(`the first minutes of a newcomer: starters, offer, refusal, file, ${said}`, async ({ browser, baseURL }) => {
    const started = gpu ? browser : await chromium.launch(launchOptionsWithoutGpu('chromium'));
    const page = await started.newPage({ viewport: size, locale: language, baseURL: baseURL! });
    try {
      const words = LANGUAGES[language];
      await page.addInitScript(fakeSpeed, { weightsPerSecond: 2e9, graphics: null });
      await page.goto('/');
      await reachState(page, 'ready');
      await expectOffer(page, words);
      const field = page.locator('message-composer textarea');
      const top = (await page.locator('message-composer form').boundingBox())!.y;
      for (const starter of words.empty.builtInQuestions) {
        const button = page.getByRole('button', { name: starter });
        await expect(button).toBeInViewport({ ratio: 1 });
        const { y, height } = (await button.boundingBox())!;
        expect(y + height).toBeLessThan(top - 8);
      }

      // The refusal is in the language of the question, and names one thing near it.
      await field.fill(words.question);
      await page.getByRole('button', { name: language === 'de' ? 'Senden' : 'Send', exact: true }).click();
      const first = page.locator('answer-message').first();
      const { what, can, capital } = REFUSALS[language]!;
      await expect(first.locator('markdown-text')).toContainText(`${what} ${can} ${capital}`, { timeout: 200_000 });
      const get = words.offer.getAndAsk('SmolLM2 135M', '98\u00a0MB');
      await expect(first.getByRole('button', { name: get })).toBeVisible();
      await expect(first).not.toContainText('I do not know that');

      // The second refusal of the chat, to a question in a third language, is one line.
      await field.fill('Qui a peint la Joconde ?');
      await page.getByRole('button', { name: language === 'de' ? 'Senden' : 'Send', exact: true }).click();
      const second = page.locator('answer-message').nth(1);
      await expect(second.locator('markdown-text')).toHaveText(REFUSALS['fr']!.again, { timeout: 200_000 });
      await expect(second.locator('markdown-text')).toHaveAttribute('lang', 'fr');
      await expect(second.getByRole('button', { name: words.offer.get('SmolLM2 135M', '98\u00a0MB') })).toBeVisible();
      await expect(second).not.toContainText(words.offer.declined);

      // A file comes with the offer of a model that can read it.
      await page.locator('message-composer input[type=file]').setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('The key is below the stone.'),
      });
      const tray = page.locator('attachment-tray');
      await expect(tray).toContainText(words.files.hardlyReads('Pocket'));
      await expect(tray.getByRole('button', { name: words.offer.get('Qwen2.5 0.5B', '491\u00a0MB') })).toBeVisible();
    } finally {
      await page.context().close();
      if (!gpu) await started.close();
    }
  });
}
