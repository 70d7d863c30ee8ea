import type { AppSettings } from '../app-settings.ts';
import { optional } from '../request/checks.ts';
import type { FieldTable } from '../request/read-fields.ts';
import { ERROR, type Schema } from './response-schemas.ts';

/** The description of one method of a path in the OpenAPI document. */
export interface OperationDescription {
  readonly response: Schema;
  /** Media type of the response. Default: JSON. */
  readonly responseType?: string;
  /** Schema of a request body of the type `multipart/form-data`. Default: the body is JSON, or there is none. */
  readonly form?: Schema;
  /** The fields of the JSON request body. Default: the document describes no body. */
  readonly fields?: FieldTable;
}

export interface PathDescription {
  readonly path: string;
  /** Set if no key is needed. */
  readonly isPublic?: true;
  readonly GET?: OperationDescription;
  readonly POST?: OperationDescription;
  readonly DELETE?: OperationDescription;
}

/**
 * Describes the routes as an OpenAPI document (version 3.1): methods, request fields as far as JSON Schema can express
 * their checks, and responses.
 */
export function describeApi(
  routes: readonly PathDescription[],
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

function describePath({ path, isPublic, ...operations }: PathDescription, defaultModel: string | null): object {
  const template = path.replace('{+', '{');
  const parameters = Array.from(template.matchAll(/\{(.+?)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const described = Object.entries(operations).map(([method, { response, responseType, fields, form }]) => {
    const body = fields === undefined ? {} : { requestBody: describeBody(fields, defaultModel) };
    const upload = form && { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } };
    const streams = fields !== undefined && 'stream' in fields;
    const content = {
      ...(responseType === undefined ? jsonContent(response) : { [responseType]: { schema: response } }),
      ...(streams ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
    };
    const responses = {
      200: { description: 'The answer.', content },
      default: { description: 'What is wrong.', content: jsonContent(ERROR) },
    };
    return [
      method.toLowerCase(),
      { operationId: `${method} ${template}`, ...(isPublic && { security: [] }), ...body, ...upload, responses },
    ] as const;
  });
  return { parameters, ...Object.fromEntries(described) };
}

/** Describes the request body of a route. Its `model` is optional if the site has a default model. */
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
