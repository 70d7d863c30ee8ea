import OpenAI from 'openai';

/** An event of a response, as far as tests examine it. */
export interface ToldEvent {
  readonly number: number;
  readonly type: string;
  /** The text in the event; empty for other events. */
  readonly text: string;
}

const client = new OpenAI({ apiKey: 'local', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true });

/** A schema that makes the answer of any model long. */
const format = {
  type: 'json_schema',
  name: 'answers',
  schema: {
    type: 'object',
    properties: { answers: { type: 'array', items: { enum: ['yes', 'no'] }, minItems: 24, maxItems: 24 } },
    required: ['answers'],
    additionalProperties: false,
  },
} as const;

/**
 * Requests a stored response as a stream, and reads this many events, or to the end.
 * @returns those events and the id of the response, which continues.
 */
export async function begin(input: string, count: number): Promise<{ id: string; events: readonly ToldEvent[] }> {
  const stream = await client.responses.create({
    model: 'pocket',
    input,
    temperature: 0,
    text: { format },
    stream: true,
  });
  const events: ToldEvent[] = [];
  const reader = stream[Symbol.asyncIterator]();
  let id = '';
  while (events.length < count) {
    const { done, value } = await reader.next();
    if (done === true) break;
    if (value.type === 'response.created') ({ id } = value.response);
    events.push(told(value));
  }
  return { id, events };
}

/** Reads the events after the one with this number, to the end. */
export async function readOn(id: string, after: number): Promise<readonly ToldEvent[]> {
  const events: ToldEvent[] = [];
  const stream = await client.responses.retrieve(id, { stream: true, starting_after: after });
  for await (const event of stream) events.push(told(event));
  return events;
}

/** Returns the status and the text of a response. */
export async function retrieve(id: string): Promise<{ status: string | undefined; text: string }> {
  const { status, output_text: text } = await client.responses.retrieve(id);
  return { status, text };
}

function told(event: OpenAI.Responses.ResponseStreamEvent): ToldEvent {
  const text = event.type === 'response.output_text.delta' ? event.delta : '';
  return { number: event.sequence_number, type: event.type, text };
}
