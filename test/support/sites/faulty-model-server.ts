import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of the first `times` requests for a file. Default: of all requests. */
export type Fault = { readonly file: string; times?: number } & (
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  /** The connection breaks after this many bytes. */
  | { readonly kind: 'drop'; readonly after: number }
  /** After this many bytes the server sends nothing more, and keeps the connection open. */
  | { readonly kind: 'stall'; readonly after: number }
  /** The server accepts the request and never responds. */
  | { readonly kind: 'silence' }
  /** The server has only the first `after` bytes of the file. */
  | { readonly kind: 'truncate'; readonly after: number }
  /** One byte in the middle is wrong. */
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

/** Serves files of model packages, with faults that a test chooses, to a scripted `fetch` or over HTTP. */
export class FaultyModelServer {
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly faults: Fault[] = [];
  /** All requests so far. */
  readonly requests: { readonly method: string; readonly path: string; readonly range: string | null }[] = [];
  ranges = true;
  /** Whether other origins may read `Content-Range` and `ETag`, as with Hugging Face. */
  exposesHeaders = true;
  /** Bytes per second over HTTP, also of running responses; null for no limit. */
  bytesPerSecond: number | null = null;
  /** Milliseconds before each packet of the scripted fetch. */
  packetDelay = 0;
  #server: Server | undefined;

  /** @param folder Path that begins and ends with a slash, such as `/slow/`. */
  add(folder: string, files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): void {
    for (const [name, bytes] of files) this.files.set(folder + name, bytes);
  }

  /** A `fetch` that reaches only this server. */
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
      // Sent also with compressed files, so that the client detects a broken connection by the missing bytes.
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
        // Waits, because data that the browser has not passed on is lost when the connection breaks.
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
