import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext } from '@playwright/test';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { sleep } from '../../../src/shared/timeout.ts';

/** A browser that can be killed with all its processes, and started again with the same profile. */
export interface KillableBrowser {
  readonly context: BrowserContext;
  kill(): Promise<void>;
  /** Kills the processes of all pages. */
  killPages(): Promise<void>;
}

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--remote-debugging-port=0',
  '--no-first-run',
  // A mouse: without a pointer the page is drawn as on a phone, where Enter sends nothing.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
];

/** Starts Chromium without WebGPU. */
export async function startBrowser(profile: string): Promise<KillableBrowser> {
  const portFile = join(profile, 'DevToolsActivePort');
  // A killed browser leaves its file.
  rmSync(portFile, { force: true });
  const browser = spawn(findBrowser().path, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: 'ignore',
    // Its own process group, which is killed as a whole.
    detached: true,
  });
  const killNow = (): void => {
    try {
      process.kill(-browser.pid!, 'SIGKILL');
    } catch {
      // The process group has ended.
    }
  };
  process.on('exit', killNow);
  const ended = once(browser, 'exit');
  while (!existsSync(portFile) || !readFileSync(portFile, 'utf8').includes('\n')) await sleep(20);
  const [port] = readFileSync(portFile, 'utf8').split('\n');
  const connection = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const context = connection.contexts()[0]!;
  return {
    context,
    async kill() {
      killNow();
      await ended;
      process.off('exit', killNow);
      await connection.close().catch(() => {});
    },
    async killPages() {
      const session = await connection.newBrowserCDPSession();
      const crashed = context.pages().at(-1)!.waitForEvent('crash');
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) process.kill(id, 'SIGKILL');
      await crashed;
      // The browser may give a killed process, which it had started in advance, to the next pages.
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const isWorking = await context.newPage().then(
          (page) => page.close().then(() => true),
          () => false,
        );
        if (isWorking) return;
      }
    },
  };
}
