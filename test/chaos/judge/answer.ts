import { EventStreamParser, fieldValues } from '../../../src/shared/http/event-stream-parser.ts';

/** The content of an answer, from JSON or a stream. */
export interface Answer {
  readonly choices: readonly Choice[];
  /** Numbers of prompt and completion tokens; null if the client did not request them. */
  readonly usage: readonly [prompt: number, completion: number] | null;
}

interface Choice {
  text: string;
  /** Null until the choice has ended. */
  finishReason: string | null;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

interface WireChoice {
  readonly index: number;
  readonly message?: { readonly content: string | null };
  readonly delta?: { readonly content?: string | null };
  readonly finish_reason: string | null;
}

interface WireDocument {
  readonly choices?: readonly WireChoice[];
  readonly usage?: Usage | null;
  readonly error?: { readonly code: string };
}

/** Parses a JSON answer; null if the document is incomplete. */
export function readJsonAnswer(body: string): Answer | null {
  try {
    const { choices = [], usage } = JSON.parse(body) as WireDocument;
    return {
      choices: choices.map(({ message, finish_reason }) => {
        return { text: message?.content ?? '', finishReason: finish_reason };
      }),
      usage: usage ? [usage.prompt_tokens, usage.completion_tokens] : null,
    };
  } catch {
    return null;
  }
}

export interface StreamedAnswer {
  /** The answer that the page received. */
  readonly answer: Answer;
  /** Whether its last event was `[DONE]`. */
  readonly ended: boolean;
  /** Code of the error event at its end. */
  readonly error: string | null;
}

/** Parses Server-Sent Events; ignores an incomplete event. */
export function readStreamAnswer(body: string): StreamedAnswer {
  const choices: Choice[] = [];
  let usage: Answer['usage'] = null;
  let ended = false;
  let error: string | null = null;
  for (const data of new EventStreamParser().push(body).flatMap((block) => fieldValues(block, 'data'))) {
    ended = data === '[DONE]';
    if (ended) continue;
    const document = JSON.parse(data) as WireDocument;
    error = document.error?.code ?? error;
    if (document.usage) usage = [document.usage.prompt_tokens, document.usage.completion_tokens];
    for (const { index, delta, finish_reason } of document.choices ?? []) {
      const choice = (choices[index] ??= { text: '', finishReason: null });
      choice.text += delta?.content ?? '';
      choice.finishReason = finish_reason ?? choice.finishReason;
    }
  }
  return { answer: { choices, usage }, ended, error };
}
