import type { AppSettings } from '../app-settings.ts';
import { optional } from '../request/checks.ts';
import type { FieldTable } from '../request/read-fields.ts';

/** What is described of a path: its methods, and the fields of what is posted to it. */
interface DescribedPath {
  readonly path: string;
  readonly GET?: unknown;
  readonly POST?: unknown;
  readonly DELETE?: unknown;
  readonly fields?: FieldTable;
}

type Schema = Readonly<Record<string, unknown>>;

const objectWith = (...required: readonly string[]): Schema => ({ type: 'object', required });
const named = (object: string, ...required: readonly string[]): Schema => ({
  ...objectWith('object', ...required),
  properties: { object: { const: object } },
});

const STORED_CHAT = named('chat.completion', 'id', 'created', 'model', 'choices', 'usage');
const RESPONSE = named('response', 'id', 'created_at', 'status', 'model', 'output');
const LIST = named('list', 'data');

/** What the answers are made of, by method and path; of the routes of the cloud API in its own words. */
const ANSWERS: Readonly<Record<string, Schema>> = {
  'GET /chat/completions': LIST,
  'POST /chat/completions': STORED_CHAT,
  'GET /chat/completions/{completion_id}': STORED_CHAT,
  'POST /chat/completions/{completion_id}': STORED_CHAT,
  'DELETE /chat/completions/{completion_id}': named('chat.completion.deleted', 'id', 'deleted'),
  'GET /chat/completions/{completion_id}/messages': LIST,
  'POST /completions': named('text_completion', 'id', 'created', 'model', 'choices', 'usage'),
  'POST /responses': RESPONSE,
  'GET /responses/{response_id}': RESPONSE,
  'DELETE /responses/{response_id}': named('response', 'id', 'deleted'),
  'POST /responses/{response_id}/cancel': RESPONSE,
  'GET /responses/{response_id}/input_items': LIST,
  'POST /embeddings': named('list', 'data', 'model', 'usage'),
  'POST /tokenize': objectWith('count', 'max_model_len', 'tokens', 'token_strs'),
  'POST /detokenize': objectWith('content', 'prompt'),
  'GET /models': LIST,
  'GET /models/{model}': named('model', 'id', 'created', 'owned_by', 'tabserve'),
  'GET /openapi.json': objectWith('openapi', 'info', 'paths'),
};

const ERROR: Schema = {
  ...objectWith('error'),
  properties: { error: objectWith('message', 'type', 'param', 'code') },
};

/**
 * The routes as an OpenAPI document (version 3.1): which there are, what the fields of their requests may be, as far as a
 * JSON Schema can say, and what their answers are.
 */
export function describeApi(
  routes: readonly DescribedPath[],
  { basePath, defaultModel }: Pick<AppSettings, 'basePath' | 'defaultModel'>,
): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tabserve',
      version: '1',
      description: 'A language model in this browser. Other fields are ignored.',
    },
    servers: [{ url: basePath }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(
      routes.map((route) => [route.path.replace('{+', '{'), describePath(route, defaultModel)]),
    ),
  };
}

function describePath({ path, fields, ...methods }: DescribedPath, defaultModel: string | null): object {
  const template = path.replace('{+', '{');
  const variable = /\{(.+)\}/.exec(template)?.[1];
  const parameters =
    variable === undefined ? [] : [{ name: variable, in: 'path', required: true, schema: { type: 'string' } }];
  const operations = Object.keys(methods).map((method) => {
    const body = method === 'POST' && fields !== undefined ? { requestBody: describeBody(fields, defaultModel) } : {};
    const streams = method === 'POST' && fields !== undefined && 'stream' in fields;
    const content = {
      ...jsonContent(ANSWERS[`${method} ${template}`] ?? {}),
      ...(streams ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
    };
    const responses = {
      200: { description: 'The answer.', content },
      default: { description: 'What is wrong.', content: jsonContent(ERROR) },
    };
    return [method.toLowerCase(), { operationId: `${method} ${template}`, ...body, responses }] as const;
  });
  return { parameters, ...Object.fromEntries(operations) };
}

/** Where the site names a model for requests that name none, theirs is one of the optional fields. */
function describeBody({ model, ...others }: FieldTable, defaultModel: string | null): object {
  const named = model === undefined || defaultModel === null ? model : optional(null, model);
  const checks = Object.entries(named === undefined ? others : { model: named, ...others });
  const required = checks.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const properties = Object.fromEntries(checks.map(([name, { schema = {} }]) => [name, schema]));
  return { required: true, content: jsonContent({ type: 'object', required, properties }) };
}

function jsonContent(schema: Schema): object {
  return { 'application/json': { schema } };
}
