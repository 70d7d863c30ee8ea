import type { Page } from '@playwright/test';

interface ScriptedTool {
  readonly name: string;
  /** Name of the argument. Default: none. */
  readonly argument?: string;
  /** Default: the question. */
  readonly value?: unknown;
  /**
   * Value of the response header `x-tabserve-engine`; that of the first tool is used. Default: this device's engine.
   */
  readonly engine?: string;
}

interface Asked {
  /** Names of the tools in the request. */
  readonly tools: readonly string[];
  /** Content of the last message. */
  readonly last: string;
}

/**
 * Scripts a page's chat completions: the model calls the available tools, each with at most one argument, then answers with the
 * result of the last one.
 * @returns A function that returns the requests so far.
 */
export async function scriptCalls(
  page: Page,
  ...scripted: readonly ScriptedTool[]
): Promise<() => Promise<readonly Asked[]>> {
  await page.addInitScript((scripted) => {
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
      const called = scripted.map(({ name, argument, value = content }, index) => ({
        index,
        id: `call_${asked.length}_${index}`,
        function: { name, arguments: JSON.stringify(argument === undefined ? {} : { [argument]: value }) },
      }));
      const said = role === 'tool' ? `It is ${content}.` : 'I do not know.';
      const delta = calls ? { tool_calls: called } : { content: said };
      const chunks = [{ delta }, { delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }].map(
        (choice) => `data: ${JSON.stringify({ model: 'pocket', choices: [choice] })}\n\n`,
      );
      return new Response([...chunks, 'data: [DONE]\n\n'].join(''), {
        headers: { 'content-type': 'text/event-stream', 'x-tabserve-engine': scripted[0]?.engine ?? 'local' },
      });
    };
  }, scripted);
  return () => page.evaluate(() => (window as unknown as { readonly asked: readonly Asked[] }).asked);
}
