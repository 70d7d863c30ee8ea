/** Runs in a page: asks the built-in model for the capital of France. @returns the answer and the engine that gave it. */
export async function askPocket(): Promise<unknown> {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'pocket',
      temperature: 0,
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
    }),
  });
  const { choices, error } = (await response.json()) as {
    readonly choices?: readonly [{ readonly message: { readonly content: string } }];
    readonly error?: unknown;
  };
  return {
    engine: response.headers.get('x-tabserve-engine')?.replace(/\d+/, 'N'),
    answer: choices?.[0].message.content ?? error,
  };
}

/** The expected result of {@link askPocket} on the CPU. */
export const POCKETS_ANSWER = {
  engine: 'local; llama.cpp; cpu; threads=N',
  answer: 'The capital of France is Paris.',
};
