import { readFileSync, writeFileSync } from 'node:fs';
import { buildWhenStale } from '../../scripts/build/build-when-stale.ts';
import { localModels } from '../../src/command-line/local-models.ts';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { BUILT_IN_MODEL_ID } from '../../src/shared/models/built-in-models.ts';
import { faultOf } from './fault-of.ts';
import { openChat } from './open-chat.ts';
import { openEndpoint } from './open-endpoint.ts';
import { isRight, STARTERS } from './starters.ts';

const USAGE = `Asks a model, by default the built-in one, 100 questions with which people begin, and looks for faults in its answers: text of control
tokens or of tool calls, nothing at all, or the same words over and over.

  npm run first-questions -- [options]

  --model ID         a model that \`npm run model\` has fetched, such as smollm2
  --tool-choice none sends a tool that must not be called
  --in-page          asks in the chat page, in a browser without WebGPU, each question in a new chat,
                     without seeds
  --max-tokens NUMBER  maximum length of an answer (default: as long as the model likes)
  --every NUMBER     only each so many of them (default 1)
  --starters         the questions that the page suggests instead, each five times: a wrong answer is a fault
  --answers FILE     writes the answers there, as JSON

The exit status is 1 when an answer has a fault.`;

interface Question {
  readonly kind: string;
  readonly text: string;
  readonly seed?: number;
}

/** A tool for requests with `tool_choice: "none"`. */
const TOOL = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    model: { type: 'string', default: BUILT_IN_MODEL_ID },
    'tool-choice': { type: 'string' },
    'in-page': { type: 'boolean', default: false },
    'max-tokens': { type: 'string' },
    every: { type: 'string', default: '1' },
    starters: { type: 'boolean', default: false },
    answers: { type: 'string' },
  });
  if (values['in-page'] && values['tool-choice'] !== undefined) {
    throw new CommandFailure('The chat page sends no tool_choice: ask without --in-page, or without --tool-choice.');
  }
  const maxTokens = values['max-tokens'];
  const limit = maxTokens === undefined ? {} : { max_tokens: parseCount('--max-tokens', maxTokens) };
  const every = parseCount('--every', values.every);
  const gguf = localModels().filter(({ id }) => id === values.model);
  if (values.model !== BUILT_IN_MODEL_ID && gguf.length === 0) {
    throw new CommandFailure(`There is no model ${values.model}: fetch it with \`npm run model\`.`);
  }
  const tools = values['tool-choice'] === 'none' ? { tools: [TOOL], tool_choice: 'none' } : {};
  const all = values.starters ? STARTERS : readQuestions();
  const questions = all.filter((_, index) => index % every === 0);
  const site = await serveBuiltSite({ folder: process.env['TABSERVE_TEST_DIST'] ?? (await buildWhenStale()), gguf });
  const asker = values['in-page']
    ? await openChat(site.url, maxTokens ?? null)
    : await openEndpoint(site.url, { model: values.model, ...limit, ...tools }, signal);
  const answers: object[] = [];
  let faults = 0;
  try {
    for (const { kind, text, seed } of questions) {
      if (signal.aborted) break;
      const { text: answer, isStuck } = await asker.ask(text, seed);
      const fault = faultOf(answer, isStuck) ?? (values.starters && !isRight(text, answer) ? 'wrong' : null);
      answers.push({ kind, text, answer, ...(isStuck && { isStuck }), ...(fault !== null && { fault }) });
      if (values.answers) writeFileSync(values.answers, `${JSON.stringify(answers, null, 1)}\n`);
      if (fault === null) continue;
      faults++;
      console.error(`${text}\n  ${fault}: ${JSON.stringify(answer.slice(0, 200))}`);
    }
  } finally {
    await asker.close();
    await site.close();
  }
  console.log(`${answers.length} questions, ${faults} answers with a fault.`);
  return faults > 0 ? 1 : 0;
});

function readQuestions(): readonly Question[] {
  return JSON.parse(readFileSync(new URL('first-questions.json', import.meta.url), 'utf8')) as Question[];
}
