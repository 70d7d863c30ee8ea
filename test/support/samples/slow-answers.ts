import type { Page } from '@playwright/test';

/**
 * Delays each event of the answers that a page receives, however fast the model is. Call it before the page is opened.
 * @returns a function that sets the delay in milliseconds, initially 0.
 */
export async function slowAnswers(page: Page): Promise<(pause: number) => Promise<void>> {
  await page.addInitScript(() => {
    const real = window.fetch.bind(window);
    const slowness = { pause: 0 };
    Object.assign(window, { slowness });
    window.fetch = async (input, init) => {
      const response = await real(input, init);
      if (!String(input).endsWith('v1/chat/completions')) return response;
      const decoder = new TextDecoder();
      const encoder = new TextEncoder();
      const slow = new TransformStream<Uint8Array, Uint8Array>({
        start(controller) {
          // In Firefox an abort does not reach a body that has arrived completely.
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
        async transform(piece, controller) {
          // Firefox joins events that arrive during a delay, so they are split here.
          for (const event of decoder.decode(piece, { stream: true }).split(/(?<=\n\n)/)) {
            await new Promise((resolve) => setTimeout(resolve, slowness.pause));
            controller.enqueue(encoder.encode(event));
          }
        },
      });
      return new Response(response.body?.pipeThrough(slow), response);
    };
  });
  return (pause) => page.evaluate((pause) => void Object.assign(Reflect.get(window, 'slowness'), { pause }), pause);
}
