import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../src/command-line/project-folders.ts';

interface ImportLayers {
  /** The folders that each context may import besides its own; see `oxlint.config.mjs`. */
  readonly contexts: Readonly<Record<string, readonly string[]>>;
  /** Folders of the chat page, from top to bottom. */
  readonly chatLayers: readonly (readonly string[])[];
}

const LAYERS_FILE = 'import-layers.json';
const { contexts, chatLayers } = JSON.parse(readFileSync(join(PROJECT_FOLDER, LAYERS_FILE), 'utf8')) as ImportLayers;

interface Probe {
  readonly file: string;
  readonly specifier: string;
  readonly allowed: boolean;
}

const WEB_LLM = '@mlc-ai/web-llm';
const contextOf = (path: string): string => path.split('/', path.startsWith('src/') ? 2 : 1).join('/');

/** An import of `target` (a path from the project's root) by a new file in `folder`. */
function probe(folder: string, target: string, allowed: boolean, name = target.replaceAll(/\W/g, '-')): Probe {
  return { file: `${folder}/probe-${name}.ts`, specifier: posix.relative(folder, target), allowed };
}

const contextProbes = Object.entries(contexts).flatMap(([folder, allowed]) => [
  ...Object.keys(contexts)
    .filter((other) => other === contextOf(other) && other !== contextOf(folder))
    .map((other) => probe(folder, `${other}/folder/thing.ts`, allowed.includes(other))),
  ...['index.ts', 'model-manager.ts', 'tabserve.ts']
    .filter(() => contextOf(folder) !== 'src/page')
    .map((file) => probe(folder, `src/page/${file}`, allowed.includes(`src/page/${file}`))),
  { file: `${folder}/probe-web-llm.ts`, specifier: WEB_LLM, allowed: allowed.includes(WEB_LLM) },
]);

const chatFolders = chatLayers.flatMap((folders, layer) => folders.map((folder) => ({ folder, layer })));

const chatProbes = chatFolders.flatMap((from) =>
  chatFolders
    .filter((to) => to !== from)
    .flatMap((to) =>
      // The rule also applies to subfolders.
      [`src/chat/${from.folder}`, `src/chat/${from.folder}/folder`].map((folder) =>
        probe(folder, `src/chat/${to.folder}/thing.ts`, from.layer < to.layer),
      ),
    ),
);

/** Listed here, so that they are refused even if the table changes. */
const neverAllowed = [
  probe('src/chat/storage', 'src/chat/attachments/store-unsent-files.ts', false),
  probe('src/chat/privacy', 'src/chat/temporary/temporary-session.ts', false),
  probe('src/chat/temporary', 'src/chat/conversation/conversation-view.ts', false),
  probe('src/chat/strings', 'src/chat/storage/chat-database.ts', false),
  probe('src/chat/strings', 'src/chat/api/list-models.ts', false),
  probe('src/shared', 'src/page/index.ts', false),
];

const probes = [...contextProbes, ...chatProbes, ...neverAllowed];

/** Returns the probes whose import the linter refuses. */
function refusedProbes(): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-imports-'));
  try {
    for (const file of ['oxlint.config.mjs', LAYERS_FILE]) copyFileSync(join(PROJECT_FOLDER, file), join(folder, file));
    for (const { file, specifier } of probes) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `export const thing = import('${specifier}');\n`);
    }
    const oxlint = join(PROJECT_FOLDER, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '-c', 'oxlint.config.mjs', '--format', 'json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    return new Set(
      diagnostics
        .filter(({ code }) => code.includes('no-restricted-imports'))
        .map(({ filename }) => filename.replaceAll('\\', '/')),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const refused = refusedProbes();

test.each(probes)('the linter judges an import of $specifier by $file', ({ file, allowed }) => {
  expect(refused.has(file)).toBe(!allowed);
});

function foldersIn(path: string): string[] {
  return readdirSync(join(PROJECT_FOLDER, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

test('every folder of the source has its row in the table', () => {
  const known = Object.keys(contexts).filter((path) => path.startsWith('src/') && path === contextOf(path));
  expect(known.toSorted()).toEqual(
    foldersIn('src')
      .map((name) => `src/${name}`)
      .toSorted(),
  );
  expect(chatLayers.flat().toSorted()).toEqual(foldersIn('src/chat').toSorted());
});

test('a worker that new URL() names follows the same rule, though the linter does not see it', () => {
  const layerOf = new Map(chatFolders.map(({ folder, layer }) => [folder, layer]));
  const wrong = readdirSync(join(PROJECT_FOLDER, 'src/chat'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && file.includes('/'))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(PROJECT_FOLDER, 'src/chat', file), 'utf8').matchAll(/new URL\(\s*'(\.[^']+)'/g),
        ([, specifier = '']) => ({ file, target: posix.join(posix.dirname(file), specifier) }),
      ),
    )
    .filter(({ file, target }) => {
      const [from = '', to = ''] = [file, target].map((path) => path.split('/')[0]);
      return from !== to && (layerOf.get(from) ?? 0) >= (layerOf.get(to) ?? Infinity);
    });
  expect(wrong).toEqual([]);
});
