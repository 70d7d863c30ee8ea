import type { Page } from '@playwright/test';

/** Adds a second model, `other`, to the list that the page reads: for what is done with two, where scripted answers make it answer. */
export async function listOtherModel(page: Page): Promise<void> {
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
