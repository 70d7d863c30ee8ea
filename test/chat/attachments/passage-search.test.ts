import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Passage, PassageQuestion } from '../../../src/chat/attachments/passage-search-worker.ts';

let ask: (event: { readonly data: PassageQuestion }) => void;
let found: readonly Passage[];

beforeEach(async () => {
  vi.stubGlobal('addEventListener', (_name: string, listener: typeof ask) => (ask = listener));
  vi.stubGlobal('postMessage', (passages: readonly Passage[]) => (found = passages));
  vi.resetModules();
  await import('../../../src/chat/attachments/passage-search-worker.ts');
});

afterEach(() => void vi.unstubAllGlobals());

test.for([
  ['Chinese', (place: number) => `第${place}条，本机可以在室内使用。`, '保修期为三十六个月。', '保修期多长？'],
  ['Chinese, of one character', (place: number) => `第${place}条，本机可以在室内使用。`, '家里有一只猫。', '猫？'],
  [
    'Japanese',
    (place: number) => `第${place}項、室内で使うことができます。`,
    '保証期間は三年間です。',
    '保証期間はどのくらいですか',
  ],
  ['Thai', (place: number) => `ข้อ ${place} ใช้ภายในอาคารได้ `, 'ระยะเวลารับประกันสามปี ', 'รับประกันนานเท่าไร'],
  [
    'English',
    (place: number) => `Article ${place}: it may be used indoors. `,
    'The warranty lasts three years. ',
    'How long is the warranty?',
  ],
] as const)('in a long text in %s, the passage about the question comes first', ([, other, sought, question]) => {
  const clauses = Array.from({ length: 600 }, (_, place) => (place === 500 ? sought : other(place).repeat(3)));
  ask({ data: { text: clauses.join('\n'), question, most: 64 } });
  expect(found[0]?.text).toContain(sought.trim());
});
