import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What may go wrong with a file, the first `times` times it is asked for (default: always). */
export type Fault = { readonly file: string; times?: number } & (
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  /** The connection breaks after this many bytes. */
  | { readonly kind: 'drop'; readonly after: number }
  /** After this many bytes the server sends nothing more, and keeps the connection open. */
  | { readonly kind: 'stall'; readonly after: number }
  /** The request is taken, and never answered. */
  | { readonly kind: 'silence' }
  /** The server has only the first bytes of the file, as many as `after`. */
  | { readonly kind: 'truncate'; readonly after: number }
  /** One byte in the middle is another. */
  | { readonly kind: 'corrupt' }
  /** The server sends another content. */
  | { readonly kind: 'replace'; readonly body: string }
);

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly end: 'whole' | 'drop' | 'stall' | 'silence';
}

/** Serves the files of model packages with the faults that a test asks for, to a scripted fetch or over HTTP. */
export class FaultyModelServer {
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly faults: Fault[] = [];
  /** Every request so far. */
  readonly requests: { readonly method: string; readonly path: string; readonly range: string | null }[] = [];
  ranges = true;
  /** Tells other origins `Content-Range` and `ETag`, as Hugging Face does. */
  exposesHeaders = true;
  /** Bytes a second over HTTP, also of what is under way; null for as fast as it goes. */
  bytesPerSecond: number | null = null;
  /** Milliseconds before each packet of the scripted fetch. */
  packetDelay = 0;
  #server: Server | undefined;

  /** @param folder Path with slashes at both ends, such as `/slow/`. */
  add(folder: string, files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): void {
    for (const [name, bytes] of files) this.files.set(folder + name, bytes);
  }

  /** A fetch that reaches this server and nothing else. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const signal = init?.signal ?? request.signal;
    signal.throwIfAborted();
    const answer = this.#answer(request.method, new URL(request.url).pathname, request.headers.get('range'));
    const stalled = () =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    if (answer.end === 'silence') return stalled();
    let sent = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          await new Promise((resolve) => setTimeout(resolve, this.packetDelay));
          if (signal.aborted) return controller.error(signal.reason);
          if (sent < answer.body.length) {
            controller.enqueue(answer.body.slice(sent, (sent += 64 * 1024)));
          } else if (answer.end === 'drop') controller.error(new TypeError('terminated'));
          else if (answer.end === 'stall') await stalled();
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, answer);
  };

  /** @returns the origin, such as `http://localhost:40123`. */
  async listen(): Promise<string> {
    this.#server = createServer((incoming, outgoing) => {
      const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
      const answer = this.#answer(incoming.method ?? 'GET', pathname, incoming.headers.range ?? null);
      if (answer.end === 'silence') return;
      const exposed = this.exposesHeaders ? { 'access-control-expose-headers': 'content-range, etag' } : {};
      // Compressed or not, a broken connection is told by the length that does not come.
      outgoing.writeHead(answer.status, {
        ...answer.headers,
        ...exposed,
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'range',
      });
      let sent = 0;
      const send = () => {
        if (outgoing.destroyed) return;
        const step = this.bytesPerSecond === null ? answer.body.length : Math.max(1, this.bytesPerSecond / 20);
        outgoing.write(answer.body.subarray(sent, sent + step));
        sent += step;
        if (sent < answer.body.length) setTimeout(send, 50);
        // What the browser has not handed on by then is lost with the connection.
        else if (answer.end === 'drop') setTimeout(() => outgoing.destroy(), 1000);
        else if (answer.end === 'whole') outgoing.end();
      };
      if (incoming.method === 'HEAD') outgoing.end();
      else send();
    });
    const server = this.#server;
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #answer(method: string, path: string, range: string | null): Answer {
    this.requests.push({ method, path, range });
    const whole = this.files.get(path);
    if (whole === undefined) return answer(404, {}, 'No such file.');
    const fault = this.faults.find((fault) => path.endsWith(fault.file) && (fault.times ?? 1) > 0);
    if (fault?.times !== undefined) fault.times--;
    if (fault?.kind === 'status') return answer(fault.status, fault.headers ?? {}, 'Not now.');
    if (fault?.kind === 'replace') return answer(200, {}, fault.body);

    const file = fault?.kind === 'truncate' ? whole.subarray(0, fault.after) : whole;
    let body = file;
    if (fault?.kind === 'corrupt') {
      body = file.slice();
      body[body.length >> 1]! ^= 1;
    }
    const from = this.ranges ? Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0) : 0;
    const partial = this.ranges && range !== null;
    if (partial && from >= file.length) return answer(416, { 'content-range': `bytes */${file.length}` }, '');
    const rest = body.subarray(from);
    const breaks = fault?.kind === 'drop' || fault?.kind === 'stall';
    return {
      status: partial ? 206 : 200,
      headers: {
        'content-length': String(rest.length),
        etag: `"${whole.length}"`,
        ...(partial ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
      },
      body: breaks ? rest.subarray(0, fault.after) : rest,
      end: breaks || fault?.kind === 'silence' ? fault.kind : 'whole',
    };
  }
}

function answer(status: number, headers: Record<string, string>, text: string): Answer {
  const body = new TextEncoder().encode(text);
  return { status, headers: { 'content-length': String(body.length), ...headers }, body, end: 'whole' };
}
