import { scriptOption, type WorkerKind } from './failure-strings.ts';

/** Why a worker's script cannot be started, for the site's developer. Few pages ever load them. Addresses are absolute. */
export const scriptFailureStrings = {
  answered: (kind: WorkerKind, script: string, status: number, type: string) =>
    `The ${kind} script is missing: for ${script} the server answers ${status} (${type}). Copy it there, or tell register() where it is: ${scriptOption(kind)}.`,
  redirected: (kind: WorkerKind, script: string) =>
    `The ${kind} script ${script} is redirected to another address, which browsers refuse. Tell register() the last address.`,
  notAScript: (kind: WorkerKind, script: string, type: string) =>
    `The ${kind} script is missing: for ${script} the server answers with ${type}, which is not JavaScript. Copy the script there, or tell register() where it is: ${scriptOption(kind)}.`,
  refused: (kind: WorkerKind, script: string, reason: string) =>
    `The browser did not accept ${script} as the ${kind} of this page: ${reason || 'its console says why.'}`,
} as const;
