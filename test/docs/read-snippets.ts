import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** A fenced block of the documentation. */
export interface Snippet {
  /** The place of the snippet: `docs/models.md, block 2`. */
  readonly name: string;
  /** Empty where the fence names none. */
  readonly language: string;
  readonly code: string;
  /** Why it cannot be run in a test, as the comment above it says: `<!-- not run: the reason -->`. */
  readonly notRun: string | null;
}

/** What people read: the pages of the site, and what a clone of the repository greets them with. */
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

/** Every fenced block of every page, those in lists among them. */
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
