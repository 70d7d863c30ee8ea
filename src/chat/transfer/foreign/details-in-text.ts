import { jsonOf, textOf } from './foreign-values.ts';
import type { MessageContent } from './message-content.ts';

/** Matches the begin of an element in which Open WebUI keeps thinking or a call of a tool within the text. */
const BEGIN = /<details type="([\w-]+)"((?:[^>"]|"[^"]*")*)>/g;
const END = '</details>';

/** Adds a text of an answer, and the thinking, calls and programs that are HTML `details` elements in it. */
export function addDetails(into: MessageContent, text: string): void {
  let at = 0;
  for (const begin of text.matchAll(BEGIN)) {
    const inside = begin.index + begin[0].length;
    const end = text.indexOf(END, inside);
    if (begin.index < at || end === -1) continue;
    into.say(text.slice(at, begin.index).trim());
    addDetail(into, begin[1]!, begin[2]!, text.slice(inside, end));
    at = end + END.length;
  }
  into.say(at === 0 ? text : text.slice(at).trim());
}

function addDetail(into: MessageContent, type: string, attributes: string, html: string): void {
  // The summary says only that, and for how long, the model has thought.
  const body = html.includes('</summary>') ? html.slice(html.indexOf('</summary>') + '</summary>'.length) : html;
  const text = decoded(body).replace(/^> ?/gm, '').trim();
  const attribute = (name: string) => decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
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
