import { test as base, type JSHandle, type Page } from '@playwright/test';
import type { ModelShape } from '../../../src/pocket/build/model-shape.ts';
import { makeEncoderPackage, makeModelPackage } from './model-package.ts';
import type * as PageHarness from './page-harness.ts';
import { serveModels } from './model-server.ts';
import { readPublishedPackage } from './published-package.ts';
import { makeRandomTensors, type ModelTensors } from './random-model.ts';
import { TINY_ENCODER_SHAPE, TINY_SHAPE } from './tiny-shape.ts';

/** The module in the page, which tests call by `evaluate`. */
export type Harness = JSHandle<typeof PageHarness>;

export interface RandomModel {
  name: string;
  shape: ModelShape;
  tensors: ModelTensors;
}

interface ModelServer {
  origin: string;
  packages: Map<string, Map<string, string | Uint8Array>>;
}

/** Adds fixtures: models, and pages in which the unmodified WebLLM has loaded one. */
export const test = base.extend<
  {
    load: (model: string, chatOptions?: object) => Promise<Harness>;
    loadEncoder: (model: string) => Promise<Harness>;
  },
  {
    models: ModelServer;
    tiny: (weightBits: 4 | 8) => Promise<RandomModel>;
    tinyEncoder: RandomModel;
    published: string;
    publishedEncoder: string;
  }
>({
  models: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names in this pattern
    async ({}, use) => {
      const packages = new Map<string, Map<string, string | Uint8Array>>();
      const server = await serveModels(packages);
      await use({ origin: server.origin, packages });
      server.close();
    },
    { scope: 'worker' },
  ],

  /** A random model with another shape than the published one. */
  tiny: [
    async ({ models }, use) => {
      await use(async (weightBits) => {
        const name = `tiny-${weightBits}`;
        const shape = { ...TINY_SHAPE, weightBits };
        const tensors = makeRandomTensors(shape, weightBits);
        if (!models.packages.has(name)) {
          models.packages.set(name, await makeModelPackage(shape, tensors));
        }
        return { name, shape, tensors };
      });
    },
    { scope: 'worker' },
  ],

  /** A random embedding model with another shape than the published one. */
  tinyEncoder: [
    async ({ models }, use) => {
      const name = 'tiny-encoder';
      const shape = TINY_ENCODER_SHAPE;
      const tensors = makeRandomTensors(shape, 8);
      models.packages.set(name, await makeEncoderPackage(shape, tensors));
      await use({ name, shape, tensors });
    },
    { scope: 'worker' },
  ],

  /** The chat model's package in `public/`, with its library compiled from the current sources. */
  published: [
    async ({ models }, use) => {
      models.packages.set('pocket', await readPublishedPackage('pocket'));
      await use('pocket');
    },
    { scope: 'worker' },
  ],

  /** The embedding model's package in `public/`, with its library compiled from the current sources. */
  publishedEncoder: [
    async ({ models }, use) => {
      models.packages.set('pocket-embed', await readPublishedPackage('pocket-embed'));
      await use('pocket-embed');
    },
    { scope: 'worker' },
  ],

  load: async ({ page, models }, use) => {
    await use((model, chatOptions) => loadInPage(page, models.origin, model, chatOptions));
  },

  loadEncoder: async ({ page, models }, use) => {
    await use((model) => loadInPage(page, models.origin, model, undefined, 1));
  },
});

async function loadInPage(
  page: Page,
  origin: string,
  ...wanted: [model: string, chatOptions?: object, modelType?: number]
): Promise<Harness> {
  await page.goto(origin);
  const harness: Harness = await page.evaluateHandle('import("/support/page-harness.ts")');
  await harness.evaluate(async (harness, wanted) => {
    await harness.load(...wanted);
  }, wanted);
  return harness;
}

export { expect } from '@playwright/test';
