import { cpus } from 'node:os';
import { join } from 'node:path';
import { localModels, MODELS_FOLDER } from '../../src/command-line/local-models.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { compareDistributions, type Distribution } from './distribution.ts';
import { growingPrompts } from './growing-prompts.ts';
import { nativeDistributions, type CacheSetting } from './native-distributions.ts';
import { wllamaDistributions } from './wllama-distributions.ts';

const USAGE = `Measures what a KV cache of 8 bits changes in a GGUF model: it compares the probabilities of the token after each of 80
prompts with those of a cache of 16 bits.

  npm run kv-quality -- --model ID [options]

  --model ID       a model that \`npm run model\` has fetched, such as smollm2
  --native FOLDER  compares with native llama.cpp, too: a folder in which \`npm install node-llama-cpp\` was run
  --texts NUMBER   only the first texts, of 10 with eight prompts each

One thread computes for ten minutes or more per line of the table.`;

const SETTINGS: Readonly<Record<string, CacheSetting>> = {
  '16 bits, no flash attention': { type: 'f16', flashAttention: false },
  '16 bits, flash attention': { type: 'f16', flashAttention: true },
  '8 bits, flash attention': { type: 'q8_0', flashAttention: true },
};

await runCommand(async () => {
  const { values } = parseOptions(USAGE, {
    model: { type: 'string' },
    native: { type: 'string' },
    texts: { type: 'string', default: '10' },
  });
  const model = localModels().find(({ id }) => id === values.model);
  if (model === undefined) throw new CommandFailure('--model names a model that `npm run model` has fetched.');
  const path = join(MODELS_FOLDER, model.file);
  const texts = growingPrompts().slice(0, parseCount('--texts', values.texts));
  const native = values.native;
  const builds = {
    ...(native !== undefined && {
      native: (setting: CacheSetting) => nativeDistributions(native, path, setting, texts),
    }),
    WebAssembly: (setting: CacheSetting) => wllamaDistributions(path, setting, texts),
  };
  console.log(`${model.id}, ${cpus()[0]?.model}, ${new Date().toISOString()}`);
  const references = new Map<string, readonly (Distribution | null)[]>();
  for (const [build, distributions] of Object.entries(builds)) {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const found = await distributions(setting);
      for (const [reference, known] of references) {
        const { prompts, meanDivergence, medianDivergence, changedTokens } = compareDistributions(known, found);
        const divergences = `KL divergence ${meanDivergence.toFixed(4)} nats (median ${medianDivergence.toFixed(4)})`;
        console.log(
          `${build}, ${name} | beside ${reference}, ${prompts} prompts | ${divergences} | ${(changedTokens * 100).toFixed(1)} % other tokens`,
        );
      }
      references.set(`${build}, ${name}`, found);
    }
  }
});
