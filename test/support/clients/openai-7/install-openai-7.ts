import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** For Vite's `alias`: the module that tests import as `openai7`. */
export const OPENAI_7_ALIAS = { openai7: `${FOLDER}node_modules/openai/index.mjs` };

/** Path of this file, for Vitest's `globalSetup`. */
export const INSTALL_OPENAI_7 = fileURLToPath(import.meta.url);

/** Installs the client from its lock file unless it is installed. */
export default function installOpenAi7(): void {
  if (existsSync(OPENAI_7_ALIAS.openai7)) return;
  const command = 'npm ci --no-audit --no-fund --loglevel=error';
  const { status } = spawnSync(command, { cwd: FOLDER, shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} failed in ${FOLDER}: see the errors above.`);
}
