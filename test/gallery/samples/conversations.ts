import { DEFAULT_SETTINGS, type Answer, type Message } from '../../../src/chat/types/conversation.ts';
import type { StoredConversation } from '../specimen.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from './conversation.ts';

/** Markdown with every construct that is rendered. */
export const RICH_TEXT = [
  'A **bold** word, a [link](https://example.org), `code` and\n\n- a list\n- [x] done',
  '1. one\n2. two',
  '> a quotation',
  '| a | b |\n|---|--:|\n| 1 | 2 |',
  '```js\n// comment\nconst greeting = `Hello ${name}`; // 1\nclass A extends B { static x = /y/; }\n```',
  '```diff\n+ added\n- removed\n```',
  '## One\n\n#### Two\n\n### Three',
].join('\n\n');

/** Formulas of every kind that models write, inline and on lines of their own. */
export const FORMULAS = String.raw`The roots of $ax^2 + bx + c = 0$ are, for \(a \ne 0\),

$$x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}$$

1. A sum: \[\sum_{i=1}^{n} i = \frac{n(n+1)}{2}\]
2. A matrix: $\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}$, and a vector $\vec{v} \in \mathbb{R}^n$

\[
\begin{aligned}
f(x) &= \int_0^\infty e^{-t} t^{x-1} \,dt \\
     &= (x - 1)!
\end{aligned}
\]

$$|x| = \begin{cases} x & x \ge 0 \\ -x & \text{otherwise} \end{cases}$$

$$\boxed{\lim_{x \to 0} \frac{\sin x}{x} = 1}$$

It costs $5 to $6. One that is too wide: $$${'a_1 + b_1 + '.repeat(20)} = 0$$`;

/** Content that tends to overflow its container: long words, lines and tables. */
export const WIDE_TEXT = [
  `A word of ${'a'.repeat(200)} and an address https://example.org/${'path/'.repeat(40)}`,
  `| ${'column | '.repeat(14)}\n|${'---|'.repeat(14)}\n| ${'value | '.repeat(14)}`,
  `\`\`\`js\nconst line = '${'long '.repeat(60)}';\n\`\`\``,
].join('\n\n');

export const ARABIC = 'مرحبا بالعالم، هذا نص عربي مع كلمة code في وسطه.';

export const LONG_WORDS = `${'A sentence that is repeated so that it becomes long. '.repeat(12)}${'x'.repeat(150)}`;

/** A chat that shows an answer in every state, each to a question of its own. */
export function everyAnswer(): StoredConversation {
  const settings = { ...DEFAULT_SETTINGS, maxTokens: 20 };
  const answers: readonly Answer[] = [
    sampleAnswer({ text: RICH_TEXT, thinking: 'First *this*, then that.' }),
    sampleAnswer({ text: 'Another version.', created: 3 }),
    sampleAnswer({ state: 'stopped' }),
    sampleAnswer({ state: 'interrupted' }),
    sampleAnswer({ finishReason: 'length', settings }),
    sampleAnswer({ finishReason: 'length' }),
    sampleAnswer({ text: '' }),
    sampleAnswer({
      state: 'failed',
      text: '',
      error: { code: 'model_not_found', message: 'The model `x` does not exist.' },
    }),
    sampleAnswer({ text: 'مرحبا بالعالم' }),
  ];
  const messages = answers.flatMap((answer, index): Message[] => [
    sampleQuestion({ id: `q${index}`, parent: index === 0 ? null : `a${index - 1}`, created: index * 10 }),
    { ...answer, id: `a${index}`, parent: index === 1 ? 'q1' : `q${index}`, created: index * 10 + 1 },
  ]);
  messages.push(sampleAnswer({ id: 'other', parent: 'q1', created: 5 }));
  const leaf = `a${answers.length - 1}`;
  return {
    conversation: sampleConversation({ id: 'every', title: 'Every answer', leaf }),
    messages: messages.map((message) => ({ ...message, conversation: 'every' })),
  };
}

/** Chats as a list shows them: pinned, long, right to left, and older ones. */
export const SAMPLE_CONVERSATIONS: readonly StoredConversation[] = [
  everyAnswer(),
  ...['What a service worker is', LONG_WORDS.slice(0, 120), 'قائمة المحادثات', 'A pinned one'].map((title, index) => ({
    conversation: sampleConversation({
      id: `c${index}`,
      title,
      pinned: title === 'A pinned one',
      updated: index + 3,
      leaf: `c${index}-a`,
    }),
    messages: [
      sampleQuestion({ id: `c${index}-q`, conversation: `c${index}` }),
      sampleAnswer({ id: `c${index}-a`, conversation: `c${index}`, parent: `c${index}-q` }),
    ],
  })),
];
