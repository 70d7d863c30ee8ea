import { emptyStrings } from '../../src/chat/strings/conversation.ts';

/** What a right answer contains, by the question that the page suggests to a person who uses the built-in model. */
const RIGHT: Readonly<Record<string, readonly RegExp[]>> = {
  'What is a service worker?': [/\bscript\b/, /\b(?:page|browser|request)s?\b/],
  'What is 27 + 35?': [/\b62\b/],
  'What is the capital of France?': [/\bParis\b/],
  // Of several sentences, about both, and told to its end.
  'Tell me a story about Anna and a dog.': [/\bAnna\b/, /\bdog\b/, /(?:[.!?].*){3}/s, /[.!?]["”]?\s*$/],
};

/** The questions that the page suggests, each five times. */
export const STARTERS = emptyStrings.pocketQuestions.flatMap((text) =>
  Array.from({ length: 5 }, (_, index) => ({ kind: 'starter', text, seed: index + 1 })),
);

/** Whether an answer to a suggested question is right. @throws Error for a question whose answer is unknown here. */
export function isRight(question: string, answer: string): boolean {
  const expected = RIGHT[question];
  if (expected === undefined) throw new Error(`What is a right answer to ${question}?`);
  return expected.every((pattern) => pattern.test(answer));
}
