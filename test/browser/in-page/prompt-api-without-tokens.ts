import type { Tabserve } from '../../../src/page/index.ts';
import { createLanguageModel } from '../../../src/prompt-api/index.ts';

const QUESTION = 'What is the capital of France?';

/** The endpoint of the chat page, in which these functions are called. */
const { tabserve } = document.querySelector<HTMLElement & { tabserve: Tabserve }>('chat-app')!;

/** Asks a model two questions in one session. */
export async function askTwice(model: string) {
  const session = await createLanguageModel(tabserve, { model }).create();
  const answers = [await session.prompt('one two three'), await session.prompt('four')];
  return { answers, usage: session.contextUsage, window: session.contextWindow };
}

/** Talks to the built-in model through the Prompt API, with a context window that overflows. */
export async function converse() {
  const session = await createLanguageModel(tabserve).create({ samplingMode: 'most-predictable' });
  const answer = await session.prompt(QUESTION);
  const { contextUsage, contextWindow } = session;

  const copy = await session.clone();
  const streamed: string[] = [];
  const reader = copy.promptStreaming('Thank you.').getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) streamed.push(read.value);
  const constrained = await copy.prompt('Is Paris in France?', { responseConstraint: /yes|no/ });

  const begun = { role: 'assistant', content: 'The capital', prefix: true } as const;
  const continued = await (await session.clone()).prompt([{ role: 'user', content: QUESTION }, begun]);

  let overflows = 0;
  session.addEventListener('contextoverflow', () => overflows++);
  // Two of these do not fit into the context window, one does.
  const long = 'The dog sat on the mat. '.repeat(Math.floor((contextWindow * 0.6) / 7));
  await session.append(long);
  await session.append(long);
  const measured = await session.measureContextUsage(long);
  await session.prompt(QUESTION);
  const tooLong = await session.prompt(long.repeat(10)).catch(({ name }: Error) => name);
  return {
    answer,
    continued,
    usage: contextUsage,
    copied: { pieces: streamed.length, constrained, grew: copy.contextUsage > contextUsage },
    overflows,
    isMeasured: measured > 0.3 * contextWindow && measured < contextWindow,
    isInWindow: session.contextUsage > 0.5 * contextWindow && session.contextUsage <= contextWindow,
    tooLong,
  };
}
