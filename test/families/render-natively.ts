import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { nativeInput, type Behaviour } from './behaviours.ts';
import { runWithJinja } from './fetch-templates.ts';

/** What a template renders in Python, or why it does not. */
export type Native = { readonly text: string } | { readonly error: string };

/** Renders all conversations with all templates in Python. @returns the results by template and behaviour. */
export function renderNatively(
  templates: readonly string[],
  behaviours: readonly Behaviour[],
): readonly (readonly Native[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-families-'));
  try {
    const file = join(folder, 'cases.json');
    const inputs = behaviours.map(({ request }) => nativeInput(request));
    writeFileSync(file, JSON.stringify(templates.flatMap((template) => inputs.map((input) => ({ template, input })))));
    const program = join(PROJECT_FOLDER, 'test/families/render-natively.py');
    const results = JSON.parse(runWithJinja([program, file])) as readonly Native[];
    return templates.map((_, index) => results.slice(index * inputs.length, (index + 1) * inputs.length));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
