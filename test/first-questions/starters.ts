import { emptyStrings } from '../../src/chat/strings/conversation-strings.ts';

/** For each question that the page suggests for the built-in model, patterns that a right answer matches. */
const RIGHT: Readonly<Record<string, readonly RegExp[]>> = {
  'What is a service worker?': [/\bscript\b/, /\b(?:page|browser|request)s?\b/],
  'What is 27 + 35?': [/\b62\b/],
  'What is the capital of France?': [/\bParis\b/],
  // The story names both, has several sentences, and is complete.
  'Tell me a story about Anna and a dog.': [/\bAnna\b/, /\bdog\b/, /(?:[.!?].*){3}/s, /[.!?]["”]?\s*$/],
};

/** The questions that the page suggests, each with five seeds. */
export const STARTERS = emptyStrings.builtInQuestions.flatMap((text) =>
  Array.from({ length: 5 }, (_, index) => ({ kind: 'starter', text, seed: index + 1 })),
);

/** Whether an answer to a suggested question is right. @throws Error for a question whose answer is unknown here. */
export function isRight(question: string, answer: string): boolean {
  const expected = RIGHT[question];
  if (expected === undefined) throw new Error(`What is a right answer to ${question}?`);
  return expected.every((pattern) => pattern.test(answer));
}
