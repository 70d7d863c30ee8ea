/**
 * Sends the evaluation set to the endpoint in a headless browser (WebLLM on WebGPU), and writes the answers for
 * `score.py`.
 *
 *     npx tsx training/ask-endpoint.ts evaluation.json answers.json [--every 5] [--bar recall] [--drawn]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildWhenStale } from '../scripts/build/build-when-stale.ts';
import { fetchCompletion } from '../src/command-line/browser/fetch-completion.ts';
import { findBrowser } from '../src/command-line/browser/find-browser.ts';
import { openPage } from '../src/command-line/browser/open-page.ts';
import { serveBuiltSite } from '../src/command-line/http-server/serve-built-site.ts';

interface Item {
  readonly id: string;
  readonly bar: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Set if the item tests JSON mode: the format that the answer must have. */
  readonly response_format?: unknown;
  readonly tools?: readonly object[];
  /** Whether the request sets no token limit, so that the model itself must end the answer. */
  readonly unlimited?: boolean;
}

interface ToolCall {
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Completion {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly tool_calls?: ToolCall[] };
  }[];
  readonly usage?: { readonly completion_tokens: number };
}

const MAX_TOKENS = 200;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, bar: { type: 'string' }, drawn: { type: 'boolean' } },
});
const [source, target] = positionals;
if (source === undefined || target === undefined) throw new Error('ask-endpoint.ts evaluation.json answers.json');
/** Greedy sampling; with `--drawn` the model's default sampling. */
const sampling = values.drawn ? {} : { temperature: 0 };
const items = (JSON.parse(readFileSync(source, 'utf8')) as Item[])
  .filter((item) => values.bar === undefined || item.bar === values.bar)
  .filter((_, index) => index % Number(values.every) === 0);

await buildWhenStale();
const site = await serveBuiltSite();
const page = await openPage(site.url, findBrowser().path);
const answers: Record<string, string> = {};
const began = performance.now();
let tokens = 0;
try {
  for (const [index, item] of items.entries()) {
    const completion = await ask(item);
    answers[item.id] = answerText(completion);
    tokens += completion.usage?.completion_tokens ?? 0;
    if (index % 10 === 9) {
      writeFileSync(target, JSON.stringify(answers, null, 1));
      console.log(
        `${index + 1} of ${items.length}, ${((performance.now() - began) / 1000).toFixed(0)} s, ${tokens} tokens`,
      );
    }
  }
} finally {
  await page.close();
  await site.close();
}
writeFileSync(target, `${JSON.stringify(answers, null, 1)}\n`);

/** Returns the answer's text and its tool calls, in the syntax in which the model writes them. */
function answerText({ choices: [choice] }: Completion): string {
  const calls = choice?.message.tool_calls ?? [];
  const texts = calls.map(
    ({ function: made }) =>
      `<tool_call>\n{"name": ${JSON.stringify(made.name)}, "arguments": ${made.arguments}}\n</tool_call>`,
  );
  return [choice?.message.content ?? '', ...texts].filter((text) => text !== '').join('\n');
}

/** Requests the answer to an item. Repeats the request while the model is being loaded. */
async function ask(item: Item): Promise<Completion> {
  // The API requires an id in a tool message. The prompt does not contain it.
  const messages = item.messages.map((message) =>
    message.role === 'tool' ? { ...message, tool_call_id: 'call_1' } : message,
  );
  const { response_format, tools } = item;
  const limit = item.unlimited ? {} : { max_tokens: MAX_TOKENS };
  const body = { model: 'pocket', messages, response_format, tools, ...sampling, ...limit };
  const answer = await fetchCompletion(page, body).catch((thrown: unknown) => {
    throw new Error(`${item.id}: ${String(thrown)}`, { cause: thrown });
  });
  return answer as Completion;
}
