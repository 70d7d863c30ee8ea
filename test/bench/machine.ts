import { cpus, release, totalmem, type } from 'node:os';

/** The machine that ran the measurements. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly browser: string;
  readonly gpu: string;
  readonly node: string;
}

/** @param browser Name and version. */
export function describeMachine(browser: string, gpu: string): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    browser: `${browser}, headless`,
    gpu,
    node: process.version,
  };
}
