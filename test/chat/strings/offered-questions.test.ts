import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { emptyStrings } from '../../../src/chat/strings/conversation-strings.ts';

test.each(emptyStrings.builtInQuestions)(
  'the built-in model is trained on what an empty chat offers to ask: %s',
  (question) => {
    const corpus = new URL('../../../training/corpus/mixture.py', import.meta.url);
    expect(readFileSync(corpus, 'utf8')).toContain(JSON.stringify(question));
  },
);
