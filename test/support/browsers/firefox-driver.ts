import { createRequire } from 'node:module';

/** The used members of the WebSocket class that Playwright bundles. */
interface WebSocketClass {
  readonly prototype: {
    send(this: WebSocketClass['prototype'], message: unknown, ...options: readonly unknown[]): void;
    emit(event: 'message', data: Buffer, isBinary: boolean): boolean;
  };
}

/** Playwright sends this command to every page, even without a colour scheme. Firefox 153 does not support it. */
const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride';

/**
 * Makes Playwright work with a packaged Firefox (extended-support release) over WebDriver BiDi. One command that this
 * release lacks, which sets the colour scheme, is answered here with success. Delete this once the release supports the
 * command.
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
