import { expect } from '@playwright/test';
import type { ToolRounds } from '../../../src/chat/conversation/messages/tool-rounds.ts';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('a double click allows or refuses one call, not also the one that takes its place; a key still does', async ({
  page,
}) => {
  await openSpecimen(page, 'tool-rounds/waiting');
  const decisions: string[] = [];
  await page.exposeFunction('decided', (decision: string) => decisions.push(decision));
  await page.locator('tool-rounds').evaluate((rounds: ToolRounds) => {
    const { decided } = globalThis as unknown as { decided: (decision: string) => void };
    rounds.running!.tools!.decide = (_call, decision) => decided(decision);
  });
  for (const name of ['Allow once', 'Don’t allow']) await page.getByRole('button', { name }).dblclick();
  await page.getByRole('button', { name: 'Allow once' }).press('Enter');
  await expect.poll(() => decisions).toEqual(['once', 'refuse', 'once']);
});
