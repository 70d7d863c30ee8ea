import type { Page } from '@playwright/test';

export interface ScriptedStream {
  /** Text of every answer, as a model would generate it. */
  readonly text: string;
  /** Thinking before the text. */
  readonly thinking?: string;
  /** Characters per piece; a token has about four. */
  readonly pieceLength: number;
  /** Milliseconds between two pieces; 0 sends everything immediately. */
  readonly interval: number;
}

/**
 * Scripts a page's chat completions, to display texts that the small model cannot generate. Other routes and the rest
 * of the page are real.
 */
export async function scriptAnswers(page: Page, stream: ScriptedStream): Promise<void> {
  await page.addInitScript((stream) => {
    const realFetch = window.fetch.bind(window);
    window.fetch = (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      return address.endsWith('v1/chat/completions')
        ? new Response(init?.body ?? null)
            .json()
            .then(({ model }: { model: string }) => scripted(init?.signal ?? null, model))
        : realFetch(input, init);
    };

    function scripted(signal: AbortSignal | null, model: string): Response {
      const encoder = new TextEncoder();
      const chunk = (fields: object) =>
        encoder.encode(
          `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, usage: null, ...fields })}\n\n`,
        );
      const delta = (fields: object, reason: string | null = null) =>
        chunk({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
      const pieces = Array.from({ length: Math.ceil(stream.text.length / stream.pieceLength) }, (_, index) =>
        stream.text.slice(index * stream.pieceLength, (index + 1) * stream.pieceLength),
      );
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          signal?.addEventListener('abort', () => controller.error(signal.reason));
          controller.enqueue(delta({ role: 'assistant', content: '', refusal: null }));
          if (stream.thinking !== undefined) controller.enqueue(delta({ reasoning_content: stream.thinking }));
          const start = performance.now();
          for (const [index, piece] of pieces.entries()) {
            const due = start + index * stream.interval;
            if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
            if (signal?.aborted === true) return;
            controller.enqueue(delta({ content: piece }));
          }
          controller.enqueue(delta({}, 'stop'));
          controller.enqueue(chunk({ choices: [], usage: { prompt_tokens: 9, completion_tokens: pieces.length } }));
          controller.enqueue(encoder.encode('data: [DONE]\n\n'));
          controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    }
  }, stream);
}
