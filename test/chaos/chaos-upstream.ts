import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '../../src/shared/timeout.ts';
import type { Upstream } from '../../src/shared/upstreams/upstream.ts';

export const UPSTREAM_MODEL = 'upstream-model';

/** The words of every answer, and milliseconds from one to the next. */
const WORDS = 'I am a server on the same device and answer every question with these words.'.split(/(?= )/);
const INTERVAL = 40;

/** A server to which the site forwards requests. It can be away for a while. */
export class ChaosUpstream {
  readonly #server: Server;
  readonly #answering = new Set<ServerResponse>();
  #away = 0;
  #answers = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', 'authorization, content-type');
      if (this.#away > 0) return void response.destroy();
      if (request.method === 'OPTIONS') return void response.writeHead(204).end();
      this.#answering.add(response);
      response.on('close', () => this.#answering.delete(response));
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => void this.#answer(JSON.parse(body || '{}') as Asked, response));
    });
  }

  static async start(): Promise<ChaosUpstream> {
    const upstream = new ChaosUpstream();
    upstream.#server.listen(0, '127.0.0.1');
    await once(upstream.#server, 'listening');
    return upstream;
  }

  /** How the site names it. */
  get option(): Upstream {
    const { port } = this.#server.address() as AddressInfo;
    return { name: 'desk', baseUrl: `http://127.0.0.1:${port}/v1`, models: [UPSTREAM_MODEL], when: 'upstream' };
  }

  /** Number of answers that are being sent. */
  get answering(): number {
    return this.#answering.size;
  }

  /** Breaks all connections, and accepts none until the returned function is called. */
  goAway(): () => void {
    this.#away++;
    this.#server.closeAllConnections();
    return () => void this.#away--;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer({ stream = false, stream_options: options }: Asked, response: ServerResponse): Promise<void> {
    const common = { id: `chatcmpl-up-${++this.#answers}`, created: 1, model: UPSTREAM_MODEL };
    const usage = { prompt_tokens: 5, completion_tokens: WORDS.length, total_tokens: 5 + WORDS.length };
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    const send = (fields: object): void =>
      void response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`);
    const sendDelta = (delta: object, reason: string | null = null): void =>
      send({ choices: [{ index: 0, delta, finish_reason: reason }] });
    if (stream) sendDelta({ role: 'assistant', content: '' });
    for (const content of WORDS) {
      await sleep(INTERVAL);
      if (response.destroyed) return;
      if (stream) sendDelta({ content });
    }
    if (stream) {
      sendDelta({}, 'stop');
      if (options?.include_usage) send({ choices: [], usage });
      return void response.end('data: [DONE]\n\n');
    }
    const message = { role: 'assistant', content: WORDS.join('') };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
  }
}

interface Asked {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}
