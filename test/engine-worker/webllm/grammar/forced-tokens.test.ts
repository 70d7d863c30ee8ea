import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { countForwards, spaced, type Spelling } from '../../../schema-proof/count-forwards.ts';
import { realWebLlm } from '../support/real-webllm.ts';

// Loading WebLLM's seven megabytes takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const POCKET = new URL('../../../../public/models/pocket/tokenizer.json', import.meta.url);
const END = 0;

test.each<[string, Spelling]>([
  ['without blanks', (value) => JSON.stringify(value)],
  ['with a blank after colons and commas', spaced],
  ['indented', (value) => JSON.stringify(value, null, 2)],
])(
  'everyday answers %s, and calls, keep their tokens and need 1.3 times fewer forward passes',
  async (_name, spell) => {
    const { libExports } = await realWebLlm();
    const tokenizer = await libExports.Tokenizer.fromJSON(new Uint8Array(readFileSync(POCKET)).buffer);
    const { tokens, forwards, jumps } = await countForwards(tokenizer, END, spell);
    expect(jumps).toBeGreaterThan(0);
    expect(tokens / forwards).toBeGreaterThan(1.3);
  },
);
