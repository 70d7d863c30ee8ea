import type { Page } from '@playwright/test';

/** The functions of a module as called from outside the page: parameters and results are plain data. */
export type InPage<M> = {
  readonly [K in keyof M as M[K] extends (...parameters: never[]) => unknown ? K : never]: M[K] extends (
    ...parameters: infer P
  ) => infer R
    ? (...parameters: P) => Promise<Awaited<R>>
    : never;
};

/**
 * Returns the functions of `test/browser/in-page/<module>.ts`, which run inside the page. So test code that uses a
 * client package can be a typed module:
 *
 *     const client = inPage<typeof import('../in-page/openai.ts')>(page, 'openai');
 *     const text = await client.complete('Hello');
 */
export function inPage<M>(page: Page, module: string): InPage<M> {
  return new Proxy({} as InPage<M>, {
    get:
      (_target, name) =>
      (...parameters: unknown[]) =>
        page.evaluate(
          async ({ address, name, parameters }) => {
            const functions = await import(address);
            return functions[name](...parameters);
          },
          { address: `/test-clients/${module}.js`, name: String(name), parameters },
        ),
  });
}
