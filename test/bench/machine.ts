import { cpus, release, totalmem, type } from 'node:os';
import type { Browser } from '../../src/command-line/find-browser.ts';

/** Where figures were measured; without it they mean nothing. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly browser: string;
  readonly gpu: string;
  readonly node: string;
}

export function describeMachine(browser: Browser, gpu: string): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    browser: `Chromium ${browser.version}, headless`,
    gpu,
    node: process.version,
  };
}
