import { readFileSync } from 'node:fs';

/**
 * Who may import whom, in one table that this configuration and `test/import-rules.test.ts` read:
 * `contexts` lists for each folder what it may import beside its own context; the longest matching folder applies.
 * `chatLayers` lists the folders of the chat page from top to bottom; a folder imports only layers below its own.
 *
 * @type {{
 *   readonly contexts: Readonly<Record<string, readonly string[]>>;
 *   readonly chatLayers: readonly (readonly string[])[];
 * }}
 */
const { contexts, chatLayers } = JSON.parse(readFileSync(new URL('import-layers.json', import.meta.url), 'utf8'));

const WEB_LLM = '@mlc-ai/web-llm';

/** `src/chat` for `src/chat/app`. @param {string} folder */
const contextOf = (folder) => folder.split('/', 2).join('/');

const allContexts = [...new Set(Object.keys(contexts).map(contextOf))];

/**
 * A pattern for relative imports that leave a folder for one of the others. @param {readonly string[]} names
 */
const into = (names) => `^(\\.\\./)+(src/)?(${names.map((name) => name.replace('src/', '')).join('|')})(/|$)`;

/** What a folder must not import, as options of `no-restricted-imports`. @param {string} folder */
function restrictionsOf(folder) {
  const allowed = contexts[folder] ?? [];
  const message = `import-layers.json lets ${folder} import ${allowed.join(', ') || 'nothing'} beside its own context.`;
  const isReachable = (/** @type {string} */ context) =>
    context === contextOf(folder) || allowed.some((path) => contextOf(path) === context);
  const patterns = [{ regex: into(allContexts.filter((context) => !isReachable(context))), message }];
  for (const context of allContexts) {
    const files = allowed.filter((path) => path.startsWith(`${context}/`)).map((path) => path.replace('src/', '**/'));
    if (files.length === 0) continue;
    patterns.push({ group: [`${context.replace('src/', '**/')}/**`, ...files.map((file) => `!${file}`)], message });
  }
  return { paths: allowed.includes(WEB_LLM) ? [] : [{ name: WEB_LLM, message }], patterns };
}

/** The context whose rules apply to a folder of the chat page. @param {string} folder */
const chatContext = (folder) => (`src/chat/${folder}` in contexts ? `src/chat/${folder}` : 'src/chat');

const contextRules = Object.keys(contexts).map((folder) => ({
  files: [`${folder}/**`],
  rules: { 'no-restricted-imports': ['error', restrictionsOf(folder)] },
}));

const layerRules = chatLayers.flatMap((folders, layer) =>
  folders.map((folder) => {
    const { paths, patterns } = restrictionsOf(chatContext(folder));
    const notBelow = chatLayers
      .slice(0, layer + 1)
      .flat()
      .filter((other) => other !== folder);
    const message = `import-layers.json: src/chat/${folder} imports only the layers below its own.`;
    const upwards = notBelow.length === 0 ? [] : [{ regex: into(notBelow), message }];
    return {
      files: [`src/chat/${folder}/**`],
      rules: { 'no-restricted-imports': ['error', { paths, patterns: [...patterns, ...upwards] }] },
    };
  }),
);

export default {
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'vitest'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-console': 'off',
    'import/no-cycle': 'error',
    'import/no-unassigned-import': 'off',
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-unsafe-enum-comparison': 'off',
    'typescript/no-unsafe-enum-assignment': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-unnecessary-type-assertion': 'off',
  },
  ignorePatterns: ['dist', 'node_modules'],
  overrides: [
    { files: ['src/**'], rules: { 'max-lines': ['error', 400] } },
    {
      files: ['src/pocket/library/**'],
      rules: { 'typescript/consistent-type-imports': 'off', 'no-unused-vars': ['error', { args: 'none' }] },
    },
    ...contextRules,
    ...layerRules,
  ],
};
