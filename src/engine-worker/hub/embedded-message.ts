import * as v from 'valibot';
import type { CompletionRequest, JsonSchema } from '../../shared/engine/completion-request.ts';

/** Limits of one request. A site's own service worker refuses more, but a hostile site has another. */
const MAX = { characters: 20_000_000, items: 20_000, choices: 128, alternatives: 20, stops: 64, id: 1000 } as const;

const text = v.pipe(v.string(), v.maxLength(MAX.characters));
const id = v.pipe(v.string(), v.maxLength(MAX.id));
const number = v.pipe(v.number(), v.finite());
const optionalNumber = v.nullable(number);
const token = v.pipe(v.number(), v.integer());
const list = <Item extends v.GenericSchema>(item: Item, most: number = MAX.items) =>
  v.pipe(v.array(item), v.maxLength(most));
/** JSON has no cycles, which structured cloning would keep. */
const json = v.custom<JsonSchema>((value) => {
  try {
    return (
      ((typeof value === 'object' && value !== null) || typeof value === 'boolean') &&
      JSON.stringify(value).length <= 1_000_000
    );
  } catch {
    return false;
  }
});

const part = v.variant('type', [
  v.object({ type: v.literal('text'), text }),
  // Only data: the engine must fetch nothing for another site.
  v.object({ type: v.literal('image'), url: v.pipe(text, v.startsWith('data:image/')) }),
]);
const call = v.object({ id, name: id, arguments: text, custom: v.exactOptional(v.literal(true)) });
const message = v.variant('role', [
  v.object({ role: v.literal('system'), content: text }),
  v.object({ role: v.literal('user'), content: v.union([text, list(part)]) }),
  v.object({ role: v.literal('assistant'), content: text, toolCalls: list(call) }),
  v.object({ role: v.literal('tool'), content: text, toolCallId: id }),
]);
const tool = v.object({
  name: id,
  description: v.nullable(text),
  parameters: v.nullable(json),
  strict: v.exactOptional(v.literal(true)),
  bound: v.exactOptional(json),
  custom: v.exactOptional(v.object({ pattern: v.nullable(text) })),
});
const format = v.variant('type', [
  v.object({ type: v.literal('text') }),
  v.object({ type: v.literal('json_object') }),
  v.object({ type: v.literal('json_schema'), schema: v.nullable(json), param: v.exactOptional(id) }),
  v.object({ type: v.literal('regex'), pattern: text, param: id }),
  v.object({ type: v.literal('grammar'), grammar: text, param: id }),
  v.object({ type: v.literal('choice'), choices: list(text) }),
]);
const prompts = v.object({
  prompts: v.pipe(list(v.union([text, list(token)])), v.minLength(1)),
  suffix: v.nullable(text),
  echo: v.boolean(),
  constraintPrefix: v.exactOptional(text),
});

const Request = v.object({
  model: id,
  messages: list(message),
  raw: v.exactOptional(prompts),
  embed: v.exactOptional(
    v.object({ inputs: v.pipe(list(text), v.minLength(1)), dimensions: v.nullable(v.pipe(number, v.minValue(1))) }),
  ),
  answerPrefix: text,
  truncation: v.exactOptional(v.literal('auto')),
  maxTokens: v.nullable(v.pipe(number, v.minValue(0))),
  temperature: optionalNumber,
  topP: optionalNumber,
  topK: optionalNumber,
  minP: optionalNumber,
  stop: list(text, MAX.stops),
  stopTokens: list(token, MAX.stops),
  ignoreEnd: v.boolean(),
  seed: optionalNumber,
  presencePenalty: optionalNumber,
  frequencyPenalty: optionalNumber,
  repetitionPenalty: optionalNumber,
  choices: v.pipe(number, v.integer(), v.minValue(1), v.maxValue(MAX.choices)),
  logprobs: v.boolean(),
  topLogprobs: v.pipe(number, v.integer(), v.minValue(0), v.maxValue(MAX.alternatives)),
  logitBias: v.nullable(v.record(v.string(), number)),
  responseFormat: format,
  tools: list(tool),
  toolChoice: v.union([v.picklist(['auto', 'none', 'required']), v.object({ name: id })]),
  parallelToolCalls: v.boolean(),
  thinking: v.nullable(v.boolean()),
  loopDetection: v.boolean(),
}) satisfies v.GenericSchema<unknown, CompletionRequest>;

const subscription = { subscription: v.number(), requestId: id };

const Resumable = v.object({
  id,
  outlives: v.picklist(['service-worker', 'page']),
  joinsOnly: v.boolean(),
  answerId: v.exactOptional(id),
});

const input = v.variant('type', [
  v.object({ type: v.literal('text'), text, prefix: v.boolean(), markers: v.boolean() }),
  v.object({ type: v.literal('conversation'), request: Request, reply: v.boolean() }),
]);
const called = { type: v.literal('call'), callId: id };

/** Nothing that changes the hub's models, and nothing that tells what else is on the device. */
const Call = v.variant('name', [
  v.object({
    ...called,
    name: v.picklist(['models/load', 'models/preload', 'streams/known']),
    parameters: v.object({ id }),
  }),
  v.object({
    ...called,
    name: v.literal('models/tokenize'),
    parameters: v.object({ id, input, pieces: v.boolean() }),
  }),
  v.object({
    ...called,
    name: v.literal('models/detokenize'),
    parameters: v.object({ id, tokens: list(token) }),
  }),
]);

const Embedded = v.variant('type', [
  v.object({
    type: v.literal('hello'),
    version: v.number(),
    client: v.picklist(['service-worker', 'page']),
    incarnation: id,
    site: v.optional(id, ''),
  }),
  v.object({
    type: v.literal('complete'),
    ...subscription,
    fingerprint: id,
    holdTime: optionalNumber,
    resumable: v.exactOptional(Resumable),
    request: Request,
  }),
  v.object({ type: v.literal('cancel'), ...subscription }),
  v.object({ type: v.literal('delivered'), ...subscription }),
  v.object({
    type: v.literal('cancel-stream'),
    streamId: id,
    deleted: v.exactOptional(v.boolean()),
    ifUnread: v.exactOptional(v.boolean()),
  }),
  v.object({ type: v.literal('watch-status') }),
  v.object({ type: v.literal('ping') }),
  v.object({ type: v.literal('leave') }),
  v.object({ type: v.literal('log-stored'), answerId: id }),
  Call,
]);

export type EmbeddedMessage = v.InferOutput<typeof Embedded>;

/**
 * Reads a message that arrived on the port of a site that uses this engine through a hub. Its script may be hostile.
 * @returns null for a message that such a site may not send.
 */
export function readEmbeddedMessage(data: unknown): EmbeddedMessage | null {
  const result = v.safeParse(Embedded, data);
  return result.success ? result.output : null;
}

/** Returns the id of a call that a site may not send, or whose parameters cannot be read; null if it is no call. */
export function unreadableCall(data: unknown): string | null {
  const addressed = v.safeParse(v.object(called), data);
  return addressed.success ? addressed.output.callId : null;
}

/** Returns where an unreadable request expects its events, and the path of the field at fault; null if it is none. */
export function unreadableRequest(data: unknown): { subscription: number; requestId: string; param: string } | null {
  const addressed = v.safeParse(v.object({ type: v.literal('complete'), ...subscription }), data);
  if (!addressed.success) return null;
  const [issue] = v.safeParse(Embedded, data).issues ?? [];
  const { subscription: number, requestId } = addressed.output;
  return { subscription: number, requestId, param: (issue && v.getDotPath(issue)) ?? 'request' };
}
