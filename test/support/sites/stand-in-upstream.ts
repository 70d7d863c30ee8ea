import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response of the real server, as received. */
interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The recorded responses of a real server, by the names of {@link answerTo}. */
export const RECORDED = (
  JSON.parse(readFileSync(new URL('recorded-upstream.json', import.meta.url), 'utf8')) as {
    readonly answers: Readonly<Record<string, RecordedAnswer>>;
  }
).answers;

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

export interface StandInUpstream {
  /** Base URL of its routes. */
  readonly baseUrl: string;
  readonly origin: string;
  /** All requests except the browsers' preflights (OPTIONS). */
  readonly requests: readonly ReceivedRequest[];
  /** Number of responses whose client disconnected before the end. */
  readonly left: number;
  close(): Promise<void>;
}

export interface StandInOptions {
  /** The only accepted key. Default: any. */
  readonly key?: string;
  /** The models that it lists. Default: those of the recorded server. */
  readonly models?: readonly unknown[];
}

/**
 * Starts a server that sends the recorded responses. Some model names select one of the ways in which servers differ or
 * fail: `big-crlf` (CRLF line ends), `big-busy` (a 429 for the first two requests), `big-broken`, `big-cut` and
 * `big-ends` (a stream that breaks off, with and without a broken connection), `big-stalls` (after its first event),
 * `big-silent`, `big-204`, `big-205` and `big-304` (no body), `big-empty`, `big-endless` (one endless line).
 */
export async function startStandInUpstream({ key, models }: StandInOptions = {}): Promise<StandInUpstream> {
  const requests: ReceivedRequest[] = [];
  let left = 0;
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!response.writableEnded) left++;
    });
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    response.setHeader('access-control-expose-headers', 'retry-after');
    if (method === 'OPTIONS') return void response.writeHead(204).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const bearer = headers.authorization?.replace('Bearer ', '');
    requests.push({ method, path, key: bearer, body });
    if (key !== undefined && bearer !== key) return say(response, RECORDED['wrongKey']!);
    if (path === '/v1/models' && models !== undefined)
      return say(response, { status: 200, type: 'application/json', body: JSON.stringify({ data: models }) });
    if (path === '/v1/models') return say(response, RECORDED['models']!);
    const asked = JSON.parse(body) as { model: string; stream?: boolean; tools?: unknown };
    const tries = requests.filter((other) => other.body === body).length;
    const recorded = RECORDED[answerTo(path, asked)]!;
    const pieces = recorded.body.split(/(?<=\n\r?\n)/);
    switch (asked.model) {
      case 'big-long':
        return say(response, RECORDED['tooLong']!);
      case 'big-silent':
        return;
      case 'big-204':
      case 'big-205':
      case 'big-304':
        return void response.writeHead(Number(asked.model.slice('big-'.length))).end();
      case 'big-empty':
        return say(response, { ...recorded, body: '' });
      case 'big-endless': {
        response.writeHead(200, { 'content-type': recorded.type }).write('data: ');
        const piece = 'x'.repeat(64 * 1024);
        response.on('drain', () => response.write(piece));
        response.write(piece);
        return;
      }
      case 'big-busy':
        if (tries <= 2) {
          response.setHeader('retry-after', '1');
          return say(response, {
            status: 429,
            type: 'application/json',
            body: '{"error":{"message":"Too many requests.","type":"requests"}}',
          });
        }
        break;
      case 'big-crlf':
        return say(response, { ...recorded, body: recorded.body.replaceAll('\n', '\r\n') });
      case 'big-broken':
        return say(response, { status: 500, type: 'text/plain', body: 'Internal Server Error' });
      case 'big-cut':
      case 'big-ends':
      case 'big-stalls':
        response.writeHead(200, { 'content-type': recorded.type });
        response.write(
          asked.stream === true
            ? `${pieces.slice(0, 2).join('')}${pieces[2]!.slice(0, 20)}`
            : recorded.body.slice(0, 40),
        );
        if (asked.model === 'big-cut') setTimeout(() => response.destroy(), 20);
        if (asked.model === 'big-ends') response.end();
        return;
    }
    return say(response, recorded);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    get left() {
      return left;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(path: string, { stream = false, tools }: { stream?: boolean; tools?: unknown }): string {
  if (path !== '/v1/chat/completions') return path.slice('/v1/'.length);
  return tools === undefined ? (stream ? 'stream' : 'chat') : stream ? 'toolStream' : 'tools';
}

function say(response: ServerResponse, { status, type, body }: RecordedAnswer): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
