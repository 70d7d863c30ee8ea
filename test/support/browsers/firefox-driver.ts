import { createRequire } from 'node:module';

/** What is used of the WebSocket class that Playwright brings along. */
interface WebSocketClass {
  readonly prototype: {
    send(this: WebSocketClass['prototype'], message: unknown, ...options: readonly unknown[]): void;
    emit(event: 'message', data: Buffer, isBinary: boolean): boolean;
  };
}

/** Playwright tells it to every page, also where nobody asked for a colour scheme; Firefox 153 does not know it. */
const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride';

/**
 * Lets Playwright drive a Firefox as the system's packages have it, over WebDriver BiDi. Playwright is a bit ahead
 * of the extended-support release: one command, which would only choose a colour scheme, is answered here as done.
 * To be deleted once that release knows the command.
 */
export function answerForFirefox(): void {
  const playwright = createRequire(createRequire(import.meta.url).resolve('@playwright/test'));
  const { ws } = playwright('playwright-core/lib/utilsBundle') as { readonly ws: WebSocketClass };
  const { prototype } = ws;
  const { send } = prototype;
  prototype.send = function (message, ...options) {
    const command = typeof message === 'string' && message.includes(UNKNOWN_COMMAND) ? JSON.parse(message) : null;
    if (command?.method !== UNKNOWN_COMMAND) return send.call(this, message, ...options);
    const reply = { type: 'success', id: command.id, result: {} };
    setImmediate(() => this.emit('message', Buffer.from(JSON.stringify(reply)), false));
  };
}
