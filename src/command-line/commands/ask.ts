import { text as readText } from 'node:stream/consumers';
import OpenAI, { APIError } from 'openai';
import { withAbort } from '../../shared/timeout.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { MAX_BODY_BYTES } from '../bridge/request-bodies.ts';
import type { Command } from './command.ts';
import { openPage } from '../browser/open-page.ts';
import type { PageFetch } from '../browser/page-fetch.ts';
import { parseCount, parseOptions } from '../parse-options.ts';
import { reportWaiting } from '../report-waiting.ts';
import { CommandFailure } from '../run-command.ts';
import { serveBuiltSite } from '../http-server/serve-built-site.ts';

const USAGE = `Asks a model in a headless browser and prints its answer as it arrives.

  npx tabserve ask "What is a service worker?"
  npx tabserve ask - < question.txt

  --model ID           default ${BUILT_IN_MODEL_ID}
  --system TEXT        instructions before the question
  --max-tokens NUMBER  longest answer; default: as long as the model likes
  --json               print the endpoint's whole JSON answer instead, when it is complete
  --site FOLDER        a built site to ask; default: one of the package's own, with the built-in model

In Tabserve's repository: npm run ask -- "…"`;

/** Prints the answer to one question; progress goes to standard error. */
export const ask: Command = async (given, installation, signal) => {
  const { values, positionals } = parseOptions(
    USAGE,
    {
      model: { type: 'string', default: BUILT_IN_MODEL_ID },
      system: { type: 'string' },
      'max-tokens': { type: 'string' },
      json: { type: 'boolean', default: false },
      site: { type: 'string' },
    },
    given,
  );
  const words = positionals.join(' ');
  const question = (words === '-' ? await withAbort(readText(process.stdin), signal) : words).trim();
  if (!question) throw new CommandFailure('There is no question: npx tabserve ask "What is a service worker?"');

  const request = {
    model: values.model,
    messages: [
      ...(values.system === undefined ? [] : [{ role: 'system' as const, content: values.system }]),
      { role: 'user' as const, content: question },
    ],
    ...(values['max-tokens'] === undefined ? {} : { max_tokens: parseCount('--max-tokens', values['max-tokens']) }),
  };

  const source = values.site === undefined ? await installation.endpointSite() : { folder: values.site, page: '' };
  const site = await serveBuiltSite(source);
  try {
    const { path } = installation.findBrowser();
    const stopWaiting = reportWaiting(`Starting ${path}`);
    const page = await openPage(site.url + source.page, path, signal).finally(stopWaiting);
    try {
      const ended = page.gone.then(() => {
        throw new CommandFailure('The browser ended before the answer was complete.');
      });
      await Promise.race([ended, answer(clientOf(page.fetch, site.url), request, values.json, signal)]);
    } finally {
      await page.close();
    }
  } finally {
    await site.close();
  }
};

type Question = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>;

async function answer(client: OpenAI, question: Question, json: boolean, signal: AbortSignal): Promise<void> {
  const stopWaiting = reportWaiting(`Loading ${question.model} and waiting for its ${json ? 'answer' : 'first token'}`);
  try {
    if (json) {
      const completion = await client.chat.completions.create(question, { signal });
      stopWaiting();
      console.log(JSON.stringify(completion, null, 2));
      return;
    }
    const stream = await client.chat.completions.create({ ...question, stream: true }, { signal });
    for await (const { choices } of stream) {
      const text = choices[0]?.delta.content;
      if (!text) continue;
      stopWaiting();
      process.stdout.write(text);
    }
    process.stdout.write('\n');
  } catch (error) {
    if (error instanceof APIError) throw new CommandFailure(error.message, { cause: error });
    throw error;
  } finally {
    stopWaiting();
  }
}

/** The official OpenAI client; the page sends its requests. */
function clientOf(pageFetch: PageFetch, url: string): OpenAI {
  return new OpenAI({
    apiKey: 'local',
    baseURL: new URL('v1', url).href,
    // While the model loads, the endpoint may respond with 503 and `retry-after`. The next attempt then waits for the
    // same load.
    maxRetries: 5,
    fetch: (address, { method = 'GET', headers, body, signal } = {}) =>
      pageFetch({
        path: new URL(String(address)).pathname,
        method,
        headers: [...new Headers(headers)],
        // The endpoint refuses a longer one, and a message to the page has a limit, too.
        body: typeof body === 'string' ? Buffer.from(body).subarray(0, MAX_BODY_BYTES) : null,
        ...(signal ? { signal } : {}),
      }),
  });
}
