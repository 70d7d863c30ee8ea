import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { pythonPackages } from '../support/python-packages.ts';
import { startCommand, TESTED_SITE } from '../support/sites/start-command.ts';

const USAGE = `Tries Python clients by the bridge, with the built-in model and the defaults of the clients.

  npm run python-clients    needs a built site, and Python with pip, which fetches the clients once`;

const CLIENTS = [
  'langchain-openai==1.7.4',
  'pydantic-ai-slim[openai]==2.68.0',
  'openai-agents==0.24.0',
  'anthropic==2.14.0',
] as const;

interface Outcome {
  /** The client's last words. */
  readonly words: string;
  /** The cities for which its tool was called. */
  readonly asked: readonly string[];
}

await runCommand(async () => {
  parseOptions(USAGE, {});
  const PYTHONPATH = pythonPackages(...CLIENTS);
  const bridge = startCommand('bridge', '--port', '0', '--site', TESTED_SITE);
  try {
    const [, address = ''] = await bridge.until(/The endpoint is at (\S+)/);
    const script = join(import.meta.dirname, 'use_clients.py');
    const { status, stdout, stderr } = spawnSync('python3', [script, address], {
      env: { ...process.env, PYTHONPATH },
      encoding: 'utf8',
      timeout: 300_000,
    });
    if (status !== 0) throw new CommandFailure(`A client failed:\n${stderr}`);
    const outcomes = Object.entries(JSON.parse(stdout) as Record<string, Outcome>);
    for (const [name, { words, asked }] of outcomes) console.log(`${name}: ${words} [${asked.join(', ')}]`);
    const wrong = outcomes.filter(([name, outcome]) => !isRight(name, outcome)).map(([name]) => name);
    if (wrong.length > 0 || outcomes.length === 0) throw new CommandFailure(`Wrong: ${wrong.join(', ')}.`);
  } finally {
    bridge.process.kill('SIGTERM');
    await bridge.ended;
  }
});

/** Whether a client called its tool for the city that was asked for, and ended with words that use the result. */
function isRight(name: string, { words, asked }: Outcome): boolean {
  if (name.endsWith('embeddings')) return words === '2 vectors';
  if (name === 'openai files') return words === 'completed 3, rules.txt, rules.txt, harbour.pdf page 1';
  // The model's tokenizer is another one, so the tokens that this client sends by default would give wrong vectors.
  if (name.endsWith('of tokens')) return words.includes('check_embedding_ctx_length=False');
  return asked.join() === 'Paris' && words.includes('18');
}
