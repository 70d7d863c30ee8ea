import { text, integer, flag, listOf, oneOf, zod, pydantic, plain, optional, when } from './schema-parts.ts';

const FILES = {
  read_file: [
    zod({ path: text, head: { type: 'number' }, tail: { type: 'number' } }, ['path']),
    { path: '/a.txt', head: 3 },
  ],
  read_many_files: [zod({ paths: listOf(text, { minItems: 1 }) }, ['paths']), { paths: ['/a', '/b'] }],
  edit_file: [
    zod(
      {
        path: text,
        edits: listOf(zod({ oldText: text, newText: text }, ['oldText', 'newText'])),
        dryRun: { ...flag, default: false },
      },
      ['path', 'edits'],
    ),
    { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] },
  ],
  directory_tree: [
    zod({ path: text, excludePatterns: listOf(text, { default: [], uniqueItems: true }) }, ['path']),
    { path: '.', excludePatterns: ['*.log'] },
  ],
  list_roots: [{ type: 'object' }, {}],
} as const;

const GIT = {
  git_diff: [
    pydantic({ repo_path: { ...text, format: 'path' }, target: text, context_lines: { ...integer, default: 3 } }, [
      'repo_path',
      'target',
    ]),
    { repo_path: '/r', target: 'main' },
  ],
  git_commit: [
    pydantic({ repo_path: text, message: { ...text, minLength: 1 } }, ['repo_path', 'message']),
    { repo_path: '.', message: 'Fix' },
  ],
  git_log: [
    pydantic(
      { repo_path: text, max_count: { ...integer, default: 10 }, start: optional({ ...text, format: 'date-time' }) },
      ['repo_path'],
    ),
    { repo_path: '.', start: null },
  ],
  git_branch: [
    pydantic({
      kind: { enum: ['local', 'remote', 'all'], default: 'local' },
      contains: optional(text),
      not_contains: optional(text),
    }),
    { kind: 'all', contains: 'abc' },
  ],
} as const;

const FORGE = {
  create_issue: [
    plain(
      {
        owner: text,
        repo: text,
        title: text,
        labels: listOf(text, { uniqueItems: true }),
        assignees: listOf(text, { maxItems: 10 }),
      },
      ['owner', 'repo', 'title'],
    ),
    { owner: 'o', repo: 'r', title: 't', labels: ['bug'] },
  ],
  search_code: [
    plain({ q: text, order: oneOf('asc', 'desc'), per_page: { type: 'number', minimum: 1, maximum: 100 } }, ['q'], {
      not: { required: ['page', 'cursor'] },
    }),
    { q: 'x', per_page: 5 },
  ],
  review_pull_request: [
    plain(
      {
        number: { ...integer, exclusiveMinimum: true, minimum: 0 },
        event: oneOf('APPROVE', 'REQUEST_CHANGES', 'COMMENT'),
        body: text,
        comments: listOf({
          oneOf: [
            plain({ path: text, position: integer, body: text }, ['path', 'position', 'body']),
            plain({ path: text, line: integer, side: oneOf('LEFT', 'RIGHT'), body: text }, ['path', 'line', 'body']),
          ],
        }),
      },
      ['number', 'event'],
      when({ properties: { event: { const: 'REQUEST_CHANGES' } } }, { required: ['body'] }),
    ),
    { number: 7, event: 'COMMENT', body: 'ok', comments: [{ path: 'a', line: 3, body: 'b' }] },
  ],
  push_files: [
    plain(
      {
        branch: { ...text, pattern: '^(?!/)(?!.*\\.\\.)[\\w./-]+(?<!/)$' },
        files: listOf(plain({ path: text, content: text }, ['path', 'content'])),
      },
      ['branch', 'files'],
    ),
    { branch: 'topic/one', files: [{ path: 'a', content: 'b' }] },
  ],
  create_gist: [
    plain(
      {
        files: { type: 'object', minProperties: 1, additionalProperties: plain({ content: text }, ['content']) },
        public: flag,
      },
      ['files'],
    ),
    { files: { 'a.md': { content: 'hi' } } },
  ],
} as const;

const BROWSER = {
  browser_navigate: [
    zod({ url: { ...text, format: 'uri', pattern: '^https?://' } }, ['url']),
    { url: 'https://example.org/' },
  ],
  browser_click: [
    zod(
      { element: text, ref: text, modifiers: listOf(oneOf('Alt', 'Control', 'Meta', 'Shift'), { uniqueItems: true }) },
      ['element', 'ref'],
    ),
    { element: 'Send', ref: 'e3', modifiers: ['Shift'] },
  ],
  browser_fill_form: [
    zod(
      {
        fields: listOf({
          oneOf: [
            zod({ type: { const: 'checkbox' }, ref: text, checked: flag }, ['type', 'ref', 'checked']),
            zod({ type: { const: 'textbox' }, ref: text, value: text }, ['type', 'ref', 'value']),
          ],
        }),
      },
      ['fields'],
    ),
    { fields: [{ type: 'textbox', ref: 'e1', value: 'x' }] },
  ],
  browser_wait: [zod({ time: { type: 'number', exclusiveMinimum: 0 }, text, textGone: text }, []), { time: 1.5 }],
  browser_screenshot: [
    plain(
      {
        type: { ...oneOf('png', 'jpeg'), default: 'png' },
        quality: { ...integer, minimum: 0, maximum: 100 },
        fullPage: flag,
        ref: text,
      },
      [],
      {
        dependentRequired: { quality: ['type'] },
        dependentSchemas: { ref: { properties: { fullPage: { const: false } } } },
      },
    ),
    { type: 'jpeg', quality: 80 },
  ],
  browser_evaluate: [
    zod({ function: { ...text, format: 'javascript' }, args: listOf({}) }, ['function']),
    { function: '() => 1', args: [1, 'a', null] },
  ],
} as const;

const DATA = {
  run_query: [
    plain({ sql: text, params: listOf({ type: ['string', 'number', 'boolean', 'null'] }) }, ['sql']),
    { sql: 'select 1', params: [1, null] },
  ],
  describe_table: [
    plain({ table: { ...text, pattern: '^[a-z_][a-z0-9_]{0,62}$' }, schema: { ...text, default: 'public' } }, [
      'table',
    ]),
    { table: 'users' },
  ],
  insert_rows: [
    plain(
      {
        table: text,
        rows: listOf({ type: 'object', propertyNames: { pattern: '^[a-z_]+$' }, minProperties: 1 }, { minItems: 1 }),
      },
      ['table', 'rows'],
    ),
    { table: 't', rows: [{ name: 'a' }] },
  ],
  explain_query: [
    plain(
      {
        sql: text,
        options: { type: 'object', patternProperties: { '^(analyze|buffers)$': flag }, additionalProperties: false },
      },
      ['sql'],
    ),
    { sql: 'select 1', options: { analyze: true } },
  ],
  chart: [
    plain(
      {
        kind: oneOf('bar', 'line'),
        series: listOf(
          plain(
            {
              name: text,
              points: listOf({
                type: 'array',
                items: [{ type: 'number' }, { type: 'number' }],
                minItems: 2,
                maxItems: 2,
              }),
            },
            ['name', 'points'],
          ),
          { contains: { required: ['name'] } },
        ),
      },
      ['kind', 'series'],
    ),
    { kind: 'bar', series: [{ name: 'a', points: [[1, 2]] }] },
  ],
} as const;

/** Servers for files, version control and browsers. */
export const DEVELOPER_TOOLS = [FILES, GIT, FORGE, BROWSER, DATA];
