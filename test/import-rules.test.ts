import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../src/command-line/project-folders.ts';

const CONTEXTS = [
  'shared',
  'service-worker',
  'engine-worker',
  'page',
  'chat',
  'react',
  'ai',
  'vite-plugin',
  'pocket',
  'command-line',
] as const;

/** Who may import whom, beside its own folder. */
const ALLOWED: Record<(typeof CONTEXTS)[number], readonly string[]> = {
  shared: [],
  'service-worker': ['shared'],
  'engine-worker': ['shared'],
  page: ['shared'],
  chat: ['shared', 'page'],
  react: ['page'],
  ai: ['page'],
  'vite-plugin': [],
  pocket: ['shared', 'command-line'],
  'command-line': ['shared', 'pocket'],
};

const IMPORTS = CONTEXTS.flatMap((from) =>
  CONTEXTS.filter((to) => to !== from).map((to) => ({
    file: `src/${from}/some/from-${to}.ts`,
    specifier: `../../${to}/index.ts`,
    allowed: ALLOWED[from].includes(to),
  })),
);

/** WebLLM is known to its adapter alone. */
const WEB_LLM = [...CONTEXTS.map((context) => `${context}/some`), 'engine-worker/webllm'].map((folder) => ({
  file: `src/${folder}/with-webllm.ts`,
  specifier: '@mlc-ai/web-llm',
  allowed: folder === 'engine-worker/webllm',
}));

/** The folders of the chat page, from the top: each may import those below it; screens do not know each other. */
const CHAT = [
  { folders: ['gallery'], knowEachOther: true },
  { folders: ['app'], knowEachOther: true },
  { folders: ['conversation', 'list', 'models', 'developers', 'privacy', 'offline'], knowEachOther: false },
  { folders: ['answers', 'common', 'markdown', 'transfer'], knowEachOther: true },
  { folders: ['api', 'storage', 'strings', 'theme'], knowEachOther: true },
].flatMap(({ folders, knowEachOther }, level) => folders.map((folder) => ({ folder, level, knowEachOther })));

const CHAT_IMPORTS = CHAT.flatMap((from) =>
  CHAT.filter((to) => to !== from).map((to) => ({
    file: `src/chat/${from.folder}/from-${to.folder}.ts`,
    specifier: `../${to.folder}/thing.ts`,
    allowed: from.level < to.level || (from.level === to.level && from.knowEachOther),
  })),
);

/** Of the page context the chat knows the entry, and the model manager by itself: only lazy parts of it need that. */
const PAGE_IMPORTS = ['index.ts', 'model-manager.ts', 'tabserve.ts'].map((file) => ({
  file: `src/chat/some/page-${file}`,
  specifier: `../../page/${file}`,
  allowed: file !== 'tabserve.ts',
}));

/** The files in which the linter finds an import of a kind that is refused. */
function refusedFiles(files: readonly { readonly file: string; readonly specifier: string }[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-imports-'));
  try {
    copyFileSync(join(PROJECT_FOLDER, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    for (const { file, specifier } of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `import { thing } from '${specifier}';\nconsole.log(thing);\n`);
    }
    const oxlint = join(PROJECT_FOLDER, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', 'src'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    return diagnostics
      .filter(({ code }) => code.includes('no-restricted-imports'))
      .map(({ filename }) => filename.replaceAll('\\', '/'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const cases = [...IMPORTS, ...WEB_LLM, ...CHAT_IMPORTS, ...PAGE_IMPORTS];
const refused = refusedFiles(cases);

test.each(cases)('the linter judges an import of $specifier by $file', ({ file, allowed }) => {
  expect(refused.includes(file)).toBe(!allowed);
});
