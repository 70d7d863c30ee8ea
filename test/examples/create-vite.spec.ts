import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serveForeignSite } from '../support/sites/foreign-site.ts';
import { run } from '../support/sites/packed-package.ts';
import { QUICKLY, TARBALL } from './install-examples.ts';

/** The code that a site has to add. */
const OWN_LINES = `import { register } from 'tabserve';
register();
`;

test('a new Vite site with React and TypeScript answers after adding two lines', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-fresh-'));
  try {
    run(
      'npm',
      ['create', ...QUICKLY, '--yes', 'vite@9', 'app', '--', '--template', 'react-ts', '--no-interactive'],
      folder,
    );
    const app = join(folder, 'app');
    run('npm', ['install', ...QUICKLY, process.env[TARBALL]!], app);
    run('npx', ['tabserve', 'init', 'public/'], app);
    const script = join(app, 'src/main.tsx');
    writeFileSync(script, OWN_LINES + readFileSync(script, 'utf8'));
    // The build also checks the types.
    run('npm', ['run', 'build'], app);

    const site = await serveForeignSite('localhost', join(app, 'dist'));
    try {
      await page.goto(site.origin);
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      const answer = await page.evaluate(async () => {
        const response = await fetch('/v1/chat/completions', {
          method: 'POST',
          headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: 'What is a token?' }] }),
        });
        return (await response.json()) as unknown;
      });
      expect(answer).toMatchObject({ choices: [{ message: { content: expect.stringMatching(/\w+ \w+/) } }] });
    } finally {
      site.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
