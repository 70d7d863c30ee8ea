import { jsonOf, textOf } from '../../../shared/json-values.ts';
import type { MessageContent } from './message-content.ts';

/** Matches a fence of code, and the begin and the end of an HTML element `details` outside of code spans. */
const TOKEN = /^ {0,3}(`{3,}|~{3,})|(?<!`)<details\b((?:[^<>"]|"[^"<]*")*)>|<\/details>/gm;

/**
 * Adds a text of Open WebUI, and the thinking, calls and programs that it keeps in the text as HTML `details` elements
 * with a type. Elements in fenced code are text.
 * @param nests Whether elements in others are counted. Default: true.
 */
export function addDetails(into: MessageContent, text: string, nests = true): void {
  let [at, depth, fence] = [0, 0, ''];
  let begin = { index: 0, inside: 0, attributes: '', end: -1 };
  const add = (end: number) => {
    into.say(text.slice(at, begin.index).trim());
    addDetail(into, begin.attributes, text.slice(begin.inside, end));
    at = end + '</details>'.length;
  };
  for (const { 0: found, 1: marks, 2: attributes, index } of text.matchAll(TOKEN)) {
    if (marks !== undefined) {
      if (depth === 0) fence = fence === '' ? marks : marks.startsWith(fence) ? '' : fence;
    } else if (fence !== '') continue;
    else if (attributes === undefined) {
      if (depth > 0 && begin.end === -1) begin.end = index;
      if (depth === 1) add(index);
      depth = Math.max(0, depth - 1);
    } else if (depth > 0) depth += nests ? 1 : 0;
    else if (/\stype="[\w-]+"/.test(attributes)) {
      begin = { index, inside: index + found.length, attributes, end: -1 };
      depth = 1;
    }
  }
  if (depth > 0 && begin.end !== -1) {
    // The element names another one without containing it, so the first end is its own.
    add(begin.end);
    return addDetails(into, text.slice(at), false);
  }
  into.say(at === 0 ? text : text.slice(at).trim());
}

function addDetail(into: MessageContent, attributes: string, html: string): void {
  // The summary says only that, and for how long, the model has thought.
  const body = html.includes('</summary>') ? html.slice(html.indexOf('</summary>') + '</summary>'.length) : html;
  const text = decoded(body).replace(/^> ?/gm, '').trim();
  const attribute = (name: string) => decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
  const type = attribute('type');
  if (type === 'reasoning') return into.think(text);
  const [given, output] = [valueOf(attribute('arguments')), valueOf(attribute('result') || attribute('output'))];
  if (type === 'tool_calls') {
    into.call(attribute('name'), given);
    into.think(text);
  } else into.say(text);
  if (output !== '') into.result(type === 'code_interpreter' ? type : attribute('name'), output);
}

/** Values are JSON, often within JSON. */
function valueOf(text: string): unknown {
  const value = jsonOf(text);
  const inner = typeof value === 'string' ? jsonOf(value) : value;
  return typeof inner === 'object' && inner !== null ? inner : textOf(value) || text;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'", '#39': "'" };

function decoded(html: string): string {
  return html.replace(/&(lt|gt|amp|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name]!);
}
