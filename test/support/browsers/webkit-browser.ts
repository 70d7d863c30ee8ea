import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findWebKit } from '../../../src/command-line/browser/find-webkit.ts';

/** A WebKitGTK window, controlled by the classic WebDriver protocol. */
export class WebKitBrowser {
  readonly #session: string;
  readonly #programs: readonly ChildProcess[];

  private constructor(session: string, programs: readonly ChildProcess[]) {
    this.#session = session;
    this.#programs = programs;
  }

  static async launch(): Promise<WebKitBrowser> {
    const { driver, path, display } = findWebKit();
    const screen = spawn(display, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [number] = (await once(screen.stdout, 'data')) as [Buffer];
    const port = await freePort();
    const server = spawn(driver, [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: `:${String(number).trim()}`, LIBGL_ALWAYS_SOFTWARE: '1' },
    });
    const address = `http://127.0.0.1:${port}/session`;
    const options = { binary: path, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    while (!(await fetch(address.replace('session', 'status')).catch(() => null))) await sleep(100);
    const { sessionId } = (await command('POST', address, { capabilities })) as { sessionId: string };
    return new WebKitBrowser(`${address}/${sessionId}`, [server, screen]);
  }

  async goto(url: string): Promise<void> {
    await command('POST', `${this.#session}/url`, { url });
  }

  /** Calls a function in the page. Parameters and result are plain data. */
  async evaluate<Parameters extends readonly unknown[], Result>(
    run: (...parameters: Parameters) => Result,
    ...parameters: Parameters
  ): Promise<Awaited<Result>> {
    const script = `return (${run.toString()})(...arguments)`;
    return (await command('POST', `${this.#session}/execute/sync`, { script, args: parameters })) as Awaited<Result>;
  }

  async close(): Promise<void> {
    await command('DELETE', this.#session);
    for (const program of this.#programs) program.kill();
  }
}

async function command(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(address, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${method} ${address}: ${JSON.stringify(value)}`);
  return value;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
