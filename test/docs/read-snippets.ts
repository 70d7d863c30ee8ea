import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** A fenced block of the documentation. */
export interface Snippet {
  /** Page and number of the block: `docs/models.md, block 2`. */
  readonly name: string;
  /** Language of the fence; empty without one. */
  readonly language: string;
  readonly code: string;
  /** Why the snippet cannot run in a test, from the comment above it: `<!-- not run: the reason -->`. */
  readonly notRun: string | null;
}

/** The documentation: the pages of the site, README and similar files of the repository. */
export function documentationPages(): readonly string[] {
  const pages = ['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(PROJECT_FOLDER, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', ...pages];
}

export function readPage(page: string): string {
  return readFileSync(join(PROJECT_FOLDER, page), 'utf8');
}

/** Returns every fenced block of every page, also those in lists. */
export function readSnippets(): readonly Snippet[] {
  return documentationPages().flatMap((page) => {
    const snippets: Snippet[] = [];
    let notRun: string | null = null;
    void marked.walkTokens(marked.lexer(readPage(page)), (token) => {
      if (token.type === 'space') return;
      if (token.type === 'code' && token['codeBlockStyle'] !== 'indented') {
        const [language = ''] = String(token['lang'] ?? '').split(' ');
        snippets.push({ name: `${page}, block ${snippets.length + 1}`, language, code: String(token['text']), notRun });
      }
      notRun = /^<!-- not run: (.+) -->\s*$/.exec(token.raw)?.[1] ?? null;
    });
    return snippets;
  });
}
