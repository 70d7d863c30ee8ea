import { listOf, recordOf, textOf, type Fields } from '../shared/json-values.ts';
import { inFence } from '../shared/in-fence.ts';
import { withoutDataAddresses } from './data-addresses.ts';
import { UnreadableDocument } from './unreadable-document.ts';
import { addHtmlText } from './html-text.ts';
import { terminalText } from './terminal-text.ts';
import type { TextBuilder } from './text-builder.ts';

/**
 * Adds the cells of a Jupyter notebook: texts, code, and the outputs that are text. Pictures are counted.
 * @throws UnreadableDocument `damaged` if this is no notebook.
 */
export function readNotebook(source: string, out: TextBuilder): void {
  const notebook = parse(source);
  // Version 3 has sheets.
  const sheets = listOf(notebook['worksheets']).map(recordOf);
  const cells = [notebook, ...sheets].flatMap((sheet) => listOf(sheet['cells'])).map(recordOf);
  if (!Array.isArray(notebook['cells']) && sheets.length === 0) throw new UnreadableDocument('damaged');
  for (const cell of cells) {
    if (out.isFull) return;
    const text = linesOf(cell['source'] ?? cell['input']);
    out.paragraph();
    if (cell['cell_type'] === 'code') {
      if (text.trim() !== '') out.text(inFence(text.trimEnd()));
      for (const output of listOf(cell['outputs'])) addOutput(recordOf(output), out);
    } else {
      const [cleaned, count] = withoutDataAddresses(text);
      out.leave('image', count);
      out.text(cleaned);
      // Pictures that the text names are attached to its cell.
      out.leave('image', Object.keys(recordOf(cell['attachments'])).length);
    }
  }
}

/** Whether a text is JSON of cells that a notebook has. */
export function isNotebook(source: string): boolean {
  try {
    const notebook = parse(source);
    const cells = [...listOf(notebook['cells']), ...listOf(notebook['worksheets'])].map(recordOf);
    return cells.every((cell) => 'cells' in cell || /^(?:code|markdown|raw|heading)$/.test(textOf(cell['cell_type'])));
  } catch {
    return false;
  }
}

function addOutput(output: Fields, out: TextBuilder): void {
  out.paragraph();
  const type = output['output_type'];
  if (type === 'stream') out.text(terminalText(linesOf(output['text'])).text);
  else if (type === 'error' || type === 'pyerr') {
    const trace = listOf(output['traceback']).map(String).join('\n');
    out.text(terminalText(trace === '' ? `${linesOf(output['ename'])}: ${linesOf(output['evalue'])}` : trace).text);
  } else {
    const data = recordOf(output['data'] ?? output);
    const isPicture = Object.keys(data).some((key) => /^image\/|^(?:png|jpeg|svg)$/.test(key));
    if (isPicture) out.leave('image');
    const plain = terminalText(linesOf(data['text/plain'] ?? (isPicture ? '' : data['text']))).text.trimEnd();
    const html = linesOf(data['text/html'] ?? data['html']);
    const markdown = linesOf(data['text/markdown']);
    const json = data['application/json'];
    const other = linesOf(data['text/latex'] ?? data['latex']) || (json === undefined ? '' : jsonText(json));
    // The plain text beside a picture or a widget only names its class.
    const isClass = /^<[^>]*>$/.test(plain.trim());
    // A table is readable in HTML.
    if (/<table\b/i.test(html)) addHtmlText(html, out);
    else if (markdown !== '') out.text(markdown);
    else if (plain !== '' && !isClass) out.text(plain);
    else if (html !== '') addHtmlText(html, out);
    else if (other !== '') out.text(other);
    else if (plain !== '' && !isPicture) out.text(plain);
    else if (!isPicture && Object.keys(recordOf(output['data'])).length > 0) out.leave('object');
  }
}

function parse(source: string): Fields {
  try {
    return recordOf(JSON.parse(source));
  } catch (thrown) {
    throw new UnreadableDocument('damaged', thrown);
  }
}

/** Returns a value as JSON; empty if it is nested so deeply that it cannot be written. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

/** Notebooks store a text as a string or as its lines. */
function linesOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === 'string').join('');
  return textOf(value);
}
