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
}

/** Starts Chromium without WebGPU. */
export async function startBrowser(profile: string): Promise<KillableBrowser> {
  const portFile = join(profile, 'DevToolsActivePort');
  // A killed browser leaves its file.
  rmSync(portFile, { force: true });
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--no-first-run'];
  const browser = spawn(findBrowser().path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
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
  return {
    context: connection.contexts()[0]!,
    async kill() {
      killNow();
      await ended;
      process.off('exit', killNow);
      await connection.close().catch(() => {});
    },
  };
}
