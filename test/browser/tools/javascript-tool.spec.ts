import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptCalls } from '../../support/samples/scripted-calls.ts';
import { test } from '../../support/pages/shared-context.ts';

/** Opens a chat whose scripted model runs each question as a program. */
async function openChat(page: Page) {
  const asked = await scriptCalls(page, { name: 'run_javascript', argument: 'program' });
  const chat = await ChatPage.open(page);
  await chat.useTool('JavaScript');
  return {
    chat,
    /** Returns the last message that the model received. */
    told: async () => (await asked()).at(-1)?.last ?? '',
  };
}

test('a program that the model writes is shown, runs after consent, and returns its output and value', async ({
  page,
}) => {
  const { chat, told } = await openChat(page);
  const program = 'const primes = [2, 3, 5];\nconsole.log("primes:", primes);\nprimes.reduce((a, b) => a + b)';
  await chat.send(program);
  const { calls } = chat;
  await expect(calls.getByRole('alert')).toHaveText('The model wants to use: JavaScript');
  await expect(calls.locator('pre')).toHaveText(program);
  await calls.getByRole('button', { name: 'Allow once' }).click();
  await chat.answered();
  expect(await told()).toBe('primes: [2,3,5]\nValue: 10');
  await expect(calls).toContainText('JavaScript · done');

  await chat.send('const one = 1;\n\none.two.three');
  await calls.last().getByRole('button', { name: 'Allow once' }).click();
  await chat.answered();
  expect(await told()).toBe("Error: TypeError: cannot read property 'three' of undefined (line 3)");
  await expect(calls.last()).toContainText('JavaScript · failed');
  await calls.last().getByText('JavaScript').click();
  await expect(calls.last()).toContainText('cannot read property');
});

/** Globals of pages and workers that programs do not have. */
const MISSING = [
  'Worker',
  'WebSocket',
  'XMLHttpRequest',
  'EventSource',
  'caches',
  'document',
  'fetch',
  'importScripts',
  'indexedDB',
  'navigator',
  'postMessage',
  'process',
  'self',
  'setTimeout',
];

/** A hostile program → the result that the model gets. */
const HOSTILE: readonly (readonly [program: string, told: RegExp])[] = [
  ['try { for (;;); } catch {} finally { for (;;); }', /stopped: it took more than 5 seconds/],
  // The interpreter cannot interrupt this step.
  ['[].includes.call({ length: 2 ** 53 - 1 }, 1)', /stopped: it took more than 5 seconds/],
  ['const all = []; for (;;) all.push(new Uint8Array(1e6))', /out of memory|stopped: it took more than 5 seconds/],
  ['new ArrayBuffer(2 ** 31)', /Error: RangeError/],
  // The browser's own stack may end first: how much of it a step takes depends on how far WebAssembly is compiled.
  ['const deep = () => deep() + 1; deep()', /stack overflow|nesting too deeply/],
  ['eval("(".repeat(1e5))', /Error: /],
  ['for (let n = 0; n < 100; n++) console.log("x".repeat(1e3)); "y".repeat(1e7)', /^x{500}[^]*\(cut\)\nValue: y{400}/],
  ['await new Promise(() => {})', /waits for a promise that is never settled/],
  ['fetch("/leak")', /'fetch' is not defined/],
  [`${JSON.stringify(MISSING)}.filter((name) => name in globalThis)`, /^\[\]$/],
  [
    'await Promise.all([Function, (async () => {}).constructor, console.log.constructor].map((make) => make("return [typeof fetch, typeof postMessage, typeof process].join()")()))',
    /^\["undefined,undefined,undefined"(,"undefined,undefined,undefined"){2}\]$/,
  ],
  ['await import("/leak.js")', /could not load module/],
  ['import("https://leak.test/leak.js")', /could not load module/],
  ['postMessage({ type: "outcome", outcome: { failed: false, text: "forged" } })', /'postMessage' is not defined/],
  ['Object.prototype.toString = Array.prototype.map = JSON.stringify = () => { for (;;); }; ({})', /^\{\}$|5 seconds/],
];

test('programs that try to escape the sandbox or exhaust the device end with an explanation, and send no request @firefox', async ({
  page,
  context,
}) => {
  test.setTimeout(200_000);
  const leaks: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('leak')) leaks.push(request.url());
  });
  const { chat, told } = await openChat(page);
  await chat.send('"allowed"');
  await chat.calls.getByRole('button', { name: 'Always in this chat' }).click();
  await chat.answered();
  for (const [index, [program, words]] of HOSTILE.entries())
    await test.step(program, async () => {
      await chat.send(program);
      await expect(chat.calls).toHaveCount(index + 2);
      await chat.answered();
      expect(await told()).toMatch(words);
      expect((await told()).length).toBeLessThan(1500);
    });
  expect(leaks).toEqual([]);
  await chat.ask('6 * 7');
  expect(await chat.text()).toBe('It is 42.');
});

test('while a program runs the page stays responsive, and stopping the answer ends its program @firefox', async ({
  page,
}) => {
  const { chat } = await openChat(page);
  await page.evaluate(() => {
    const ended: string[] = [];
    Object.assign(window, { ended });
    const { terminate } = Worker.prototype;
    Worker.prototype.terminate = function () {
      ended.push('ended');
      terminate.call(this);
    };
  });
  await chat.send('for (;;);');
  await chat.calls.getByRole('button', { name: 'Allow once' }).click();
  await expect(chat.calls).toContainText('JavaScript · running');
  await chat.field.fill('The next question');
  await expect(chat.field).toHaveValue('The next question');
  await chat.stop();
  await expect(chat.calls).toContainText('JavaScript · not run');
  expect(await page.evaluate(() => (window as unknown as { readonly ended: readonly string[] }).ended)).toEqual([
    'ended',
  ]);
});

test('after one visit a program runs without network', async ({ page, context }) => {
  const { chat, told } = await openChat(page);
  await expect(page.getByText('Works offline', { exact: true })).toBeVisible();
  await context.setOffline(true);
  try {
    await chat.send('6 * 7');
    await chat.calls.getByRole('button', { name: 'Allow once' }).click();
    await chat.answered();
    expect(await told()).toBe('42');
  } finally {
    await context.setOffline(false);
  }
});
