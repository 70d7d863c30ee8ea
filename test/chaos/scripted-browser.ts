import { PassThrough } from 'node:stream';
import { DevToolsConnection, type Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import { DevToolsSession } from './dev-tools-session.ts';
import { Tab } from './tabs/tab.ts';

/** Executes one command of the browser and returns its result. */
export type CommandScript = (method: string, parameters: Record<string, unknown>, tab: Tab | null) => unknown;

/** A fake browser for unit tests: a function executes the DevTools commands. */
export class ScriptedBrowser {
  readonly #connection: DevToolsConnection;
  readonly #answers = new PassThrough();
  readonly opened: Tab[] = [];
  readonly deaths = [];
  readonly ended = false;
  readonly workers: readonly Target[];

  constructor(script: CommandScript, workers: readonly Target[] = []) {
    this.workers = workers;
    const commands = new PassThrough();
    this.#connection = new DevToolsConnection(commands, this.#answers);
    commands.setEncoding('utf8').on('data', (text: string) => {
      for (const command of text.split('\0').slice(0, -1)) void this.#answer(command, script);
    });
  }

  get session(): DevToolsSession {
    return new DevToolsSession(this.#connection);
  }

  endEngine(): Promise<void> {
    return Promise.reject(new Error('There is no engine.'));
  }

  withEngine(): Promise<never> {
    return Promise.reject(new Error('There is no engine.'));
  }

  targets() {
    return [];
  }

  async openTab(url: string): Promise<Tab> {
    const number = this.opened.length + 1;
    const tab = new Tab(number, `target ${number}`, new DevToolsSession(this.#connection, String(number)), '');
    this.opened.push(tab);
    await tab.navigate(url);
    return tab;
  }

  async #answer(command: string, script: CommandScript): Promise<void> {
    const { id, method, params, sessionId } = JSON.parse(command) as {
      id: number;
      method: string;
      params: Record<string, unknown>;
      sessionId?: string;
    };
    const tab = this.opened.find(({ session }) => session.id === sessionId) ?? null;
    const result = (await script(method, params, tab)) ?? {};
    this.#answers.write(`${JSON.stringify({ id, result })}\0`);
  }
}
