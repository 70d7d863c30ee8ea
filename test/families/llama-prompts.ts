import type { Wllama } from '@wllama/wllama';
import { scriptedChatModel } from '../support/samples/scripted-chat-model.ts';
import { openWllamaPage } from '../support/sites/wllama-page.ts';

/** A message with texts only, as wllama hands it to llama.cpp. */
export interface TextMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[];
}

/** Requests, and the chat template with which llama.cpp shall render them. */
export interface Rendering {
  readonly template: string;
  readonly requests: readonly { readonly messages: readonly TextMessage[]; readonly chat_template_kwargs?: object }[];
}

/**
 * Renders requests with llama.cpp in WebAssembly, which needs a browser.
 * @returns the prompts, in the order of the requests; llama.cpp's sentence in place of one that it refuses.
 */
export async function llamaPrompts(renderings: readonly Rendering[]): Promise<readonly (readonly string[])[]> {
  const models = await Promise.all(
    renderings.map(async ({ template }, index) => {
      const model = scriptedChatModel({
        context: 8192,
        template,
        control: ['<s>', '</s>'],
        begin: '<s>',
        end: '</s>',
        answer: 'Yes.',
      });
      return [`/${index}.gguf`, new Uint8Array(await model.arrayBuffer())] as const;
    }),
  );
  const { page, close } = await openWllamaPage(Object.fromEntries(models));
  try {
    const results: (readonly string[])[] = [];
    for (const [index, { requests }] of renderings.entries()) {
      results.push(await page.evaluate(render, { file: `/${index}.gguf`, requests }));
    }
    return results;
  } finally {
    await close();
  }
}

/** Runs in the page, so it uses nothing outside itself. */
async function render({
  file,
  requests,
}: {
  readonly file: string;
  readonly requests: Rendering['requests'];
}): Promise<readonly string[]> {
  const address = '/wllama.js';
  const module = (await import(address)) as { readonly Wllama: typeof Wllama };
  const wllama = new module.Wllama({ default: '/wllama.wasm' }, { suppressNativeLog: true });
  wllama.setCompat(null);
  await wllama.loadModel([await (await fetch(file)).blob()], { n_ctx: 8192, n_gpu_layers: 0, jinja: true });
  const complete = wllama.createChatCompletion.bind(wllama) as unknown as (
    options: object,
  ) => Promise<{ readonly __verbose: { readonly prompt: string } }>;
  const prompts: string[] = [];
  for (const { messages, chat_template_kwargs } of requests) {
    const answer = complete({ messages, chat_template_kwargs, max_tokens: 1, verbose: true });
    prompts.push(await answer.then(({ __verbose }) => __verbose.prompt, String));
  }
  await wllama.exit();
  return prompts;
}
