/**
 * The required form of a response and of its stream's events, for those parts of Open Responses that this endpoint
 * sends. Source: the specification's OpenAPI description of 2026-04-24, read on 2026-11-26
 * (github.com/openresponses/openresponses, `public/openapi/openapi.json`, commit 1e33c10).
 */

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const NUMBER = { type: 'number' };
const BOOLEAN = { type: 'boolean' };
const ARRAY = { type: 'array' };
const OBJECT = { type: 'object' };

const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });

/** An object with these properties, each of them required. */
const having = (properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const part = {
  anyOf: [
    having({ type: { const: 'output_text' }, text: STRING, annotations: ARRAY }),
    having({ type: { const: 'summary_text' }, text: STRING }),
  ],
};
const status = { enum: ['in_progress', 'completed', 'incomplete'] };
const item = {
  anyOf: [
    having({
      type: { const: 'message' },
      id: STRING,
      status,
      role: { enum: ['user', 'assistant', 'system', 'developer'] },
      content: { type: 'array', items: part },
    }),
    having({
      type: { const: 'function_call' },
      id: STRING,
      status,
      call_id: STRING,
      name: STRING,
      arguments: STRING,
    }),
    having({ type: { const: 'reasoning' }, id: STRING, summary: { type: 'array', items: part } }),
  ],
};

export const RESPONSE = having({
  id: STRING,
  object: { const: 'response' },
  created_at: INTEGER,
  completed_at: orNull(INTEGER),
  status: STRING,
  incomplete_details: orNull(having({ reason: STRING })),
  model: STRING,
  previous_response_id: orNull(STRING),
  instructions: orNull(STRING),
  output: { type: 'array', items: item },
  error: orNull(having({ code: STRING, message: STRING })),
  tools: {
    type: 'array',
    items: having({
      type: { const: 'function' },
      name: STRING,
      description: orNull(STRING),
      parameters: orNull(OBJECT),
      strict: orNull(BOOLEAN),
    }),
  },
  tool_choice: { anyOf: [OBJECT, { enum: ['none', 'auto', 'required'] }] },
  truncation: { enum: ['auto', 'disabled'] },
  parallel_tool_calls: BOOLEAN,
  text: having({ format: having({ type: STRING }) }),
  top_p: NUMBER,
  presence_penalty: NUMBER,
  frequency_penalty: NUMBER,
  top_logprobs: INTEGER,
  temperature: NUMBER,
  reasoning: orNull(OBJECT),
  usage: orNull(
    having({
      input_tokens: INTEGER,
      output_tokens: INTEGER,
      total_tokens: INTEGER,
      input_tokens_details: having({ cached_tokens: INTEGER }),
      output_tokens_details: having({ reasoning_tokens: INTEGER }),
    }),
  ),
  max_output_tokens: orNull(INTEGER),
  max_tool_calls: orNull(INTEGER),
  store: BOOLEAN,
  background: BOOLEAN,
  service_tier: STRING,
  metadata: {},
  safety_identifier: orNull(STRING),
  prompt_cache_key: orNull(STRING),
});

const inItem = { item_id: STRING, output_index: INTEGER };
const inContent = { ...inItem, content_index: INTEGER };

/** The properties of each event, by its type. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'response.created': { response: RESPONSE },
  'response.in_progress': { response: RESPONSE },
  'response.completed': { response: RESPONSE },
  'response.incomplete': { response: RESPONSE },
  'response.failed': { response: RESPONSE },
  'response.output_item.added': { output_index: INTEGER, item: orNull(item) },
  'response.output_item.done': { output_index: INTEGER, item: orNull(item) },
  'response.content_part.added': { ...inContent, part },
  'response.content_part.done': { ...inContent, part },
  'response.output_text.delta': { ...inContent, delta: STRING, logprobs: ARRAY },
  'response.output_text.done': { ...inContent, text: STRING, logprobs: ARRAY },
  'response.function_call_arguments.delta': { ...inItem, delta: STRING },
  'response.function_call_arguments.done': { ...inItem, arguments: STRING },
};

/** An event of one of the types that the specification knows. */
export const EVENT = {
  anyOf: Object.entries(EVENTS).map(([type, properties]) =>
    having({ type: { const: type }, sequence_number: INTEGER, ...properties }),
  ),
};
