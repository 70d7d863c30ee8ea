import type { Locator, Page } from '@playwright/test';
import { expect } from '../sites/model-site.ts';

/** The Models screen, with the actions of a user. */
export class ModelsPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the screen from any other one. */
  static async open(page: Page): Promise<ModelsPage> {
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'More models' })).toBeVisible();
    return new ModelsPage(page);
  }

  /** @param name Display name of the model. */
  card(name: string): Locator {
    return this.page.getByRole('article', { name, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Confirms the deletion in the open dialog. */
  async confirm(): Promise<void> {
    await this.page.locator('wa-dialog[open]').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(this.page.getByRole('dialog')).toBeHidden();
  }

  /** Adds a package in a folder of a server, which starts its download. */
  async add(id: string, folder: string): Promise<void> {
    await this.page.getByLabel('Name', { exact: true }).fill(id);
    await this.page.getByLabel('Address of the package').fill(folder);
    await this.page.getByLabel('Address of the library').fill(`${folder}pocket.wasm`);
    await this.button('Add and download').click();
    await expect(this.card(id)).toBeVisible();
  }

  async arrived(id: string): Promise<void> {
    await expect(this.card(id).getByText('Downloaded. Works offline.')).toBeVisible();
  }
}

/** Returns the ids that `GET /v1/models` lists. */
export async function usableModels(page: Page, key = 'local'): Promise<string[]> {
  // The model may be loaded before the service worker controls the page, because the worker first stores the page's
  // files.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return page.evaluate(async (key) => {
    const response = await fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  }, key);
}

/** Sends a question to a model of the endpoint. */
export function ask(
  page: Page,
  model: string,
  { key = 'local', question = 'Hello' } = {},
): Promise<{ status: number; text: string }> {
  return page.evaluate(
    async ({ model, key, question }) => {
      const { serviceWorker } = navigator;
      // The service worker may not control a new page yet.
      if (!serviceWorker.controller)
        await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: question }], max_tokens: 8, temperature: 0 }),
      });
      const body = (await response.json()) as {
        choices?: { message: { content: string } }[];
        error?: { code: string };
      };
      return { status: response.status, text: body.choices?.[0]?.message.content ?? body.error?.code ?? '' };
    },
    { model, key, question },
  );
}
