// Prints which members that the adapter needs are missing in a version of WebLLM: `npm run webllm:check [-- VERSION]`.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingIn } from './missing-members.ts';

const PACKAGE = '@mlc-ai/web-llm';

const { positionals } = parseArgs({ allowPositionals: true });
const [wanted = installedVersion()] = positionals;
const folder = mkdtempSync(join(tmpdir(), 'webllm-check-'));
try {
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  execFileSync('npm', ['install', ...options, `${PACKAGE}@${wanted}`], { stdio: 'inherit' });
  const root = join(folder, 'node_modules', PACKAGE);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const missing = missingIn(readFileSync(join(root, 'lib/index.js'), 'utf8'));
  for (const [user, members] of missing) console.log(`${user}: ${members.join(', ')}`);
  const all = new Set([...missing.values()].flat());
  console.log(
    all.size === 0
      ? `WebLLM ${version} has every member that the adapter needs.`
      : `WebLLM ${version} lacks ${all.size} members that the adapter needs; ${missing.size} users are above.`,
  );
  process.exitCode = all.size === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The version that this project pins. */
function installedVersion(): string {
  const url = new URL('../../package.json', import.meta.url);
  const { devDependencies } = JSON.parse(readFileSync(url, 'utf8')) as { devDependencies: Record<string, string> };
  return devDependencies[PACKAGE]!;
}
