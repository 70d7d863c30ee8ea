import type { Page } from '@playwright/test';

/**
 * Lets a page get answers event by event with a pause before each, however fast the model is. It has to be called before the page
 * is opened.
 * @returns sets the pause in milliseconds, at first none.
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
          // In Firefox an abort does not reach a body that has come as a whole.
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
        async transform(piece, controller) {
          // Firefox joins the events that came during a pause.
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
