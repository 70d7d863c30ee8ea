import type { Page } from '@playwright/test';

interface Asked {
  /** Names of the tools that the model was given. */
  readonly tools: readonly string[];
  /** Content of the last message. */
  readonly last: string;
}

/**
 * Makes chat completions of a page come from a model that calls a tool where it may, with the question as its one argument,
 * and then says what that gave.
 * @param tool.argument Name of the argument.
 * @returns A function that tells what has been asked.
 */
export async function scriptCalls(
  page: Page,
  tool: { readonly name: string; readonly argument: string },
): Promise<() => Promise<readonly Asked[]>> {
  await page.addInitScript(({ name, argument }) => {
    const real = window.fetch.bind(window);
    const asked: Asked[] = [];
    Object.assign(window, { asked });
    window.fetch = async (input, init) => {
      if (!String(input).endsWith('v1/chat/completions')) return real(input, init);
      const { messages, tools = [] } = JSON.parse(await new Response(init?.body).text()) as {
        messages: { role: string; content: string }[];
        tools?: { function: { name: string } }[];
      };
      const { role, content } = messages.at(-1)!;
      asked.push({ tools: tools.map((tool) => tool.function.name), last: content });
      const calls = tools.length > 0 && role !== 'tool';
      const called = { name, arguments: JSON.stringify({ [argument]: content }) };
      const said = role === 'tool' ? `It is ${content}.` : 'I do not know.';
      const delta = calls
        ? { tool_calls: [{ index: 0, id: `call_${asked.length}`, function: called }] }
        : { content: said };
      const chunks = [{ delta }, { delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }].map(
        (choice) => `data: ${JSON.stringify({ model: 'pocket', choices: [choice] })}\n\n`,
      );
      return new Response([...chunks, 'data: [DONE]\n\n'].join(''), {
        headers: { 'content-type': 'text/event-stream' },
      });
    };
  }, tool);
  return () => page.evaluate(() => (window as unknown as { readonly asked: readonly Asked[] }).asked);
}
