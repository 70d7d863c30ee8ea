import { MESSAGE_FIELDS } from '../../../src/service-worker/messages-api/message-fields.ts';
import { CHAT_COMPLETION_FIELDS } from '../../../src/service-worker/request/chat-completion-fields.ts';
import type { Check } from '../../../src/service-worker/request/checks.ts';
import { EMBEDDING_FIELDS } from '../../../src/service-worker/request/embedding-fields.ts';
import { TEXT_COMPLETION_FIELDS } from '../../../src/service-worker/request/text-completion-fields.ts';
import { RESPONSE_FIELDS } from '../../../src/service-worker/responses-api/response-fields.ts';

/** The routes whose fields other services share, by the heading of their column in the table of fields. */
export const ROUTE_FIELDS = {
  chat: CHAT_COMPLETION_FIELDS,
  completions: TEXT_COMPLETION_FIELDS,
  responses: RESPONSE_FIELDS,
  messages: MESSAGE_FIELDS,
  embeddings: EMBEDDING_FIELDS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Check<unknown>>>>>;

export type RouteName = keyof typeof ROUTE_FIELDS;

/** Returns the lines of the table of fields in `docs/endpoint.md`. */
export function fieldTable(): string[] {
  const tables: readonly (readonly [string, Readonly<Record<string, Check<unknown>>>])[] = Object.entries(ROUTE_FIELDS);
  const names = [...new Set(tables.flatMap(([, table]) => Object.keys(table)))].toSorted();
  const rows = names.map((name) => {
    const checks = tables.map(([, table]) => (Object.hasOwn(table, name) ? table[name] : undefined));
    const remarks = new Set(checks.flatMap((check) => (check === undefined ? [] : remarkOf(check))));
    return [`\`${name}\``, ...checks.map(cellOf), [...remarks].join('; ')];
  });
  const head = ['field', ...tables.map(([route]) => route), ''];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function cellOf(check: Check<unknown> | undefined): string {
  if (check === undefined) return '–';
  if (check.isRefused) return 'refused';
  return check.because === undefined ? 'yes' : 'no effect';
}

/** Returns the values that a refused field may have, and why a field without effect has none. */
function remarkOf({ isRefused, because, schema }: Check<unknown>): string[] {
  if (because !== undefined) return [because];
  const values = isRefused ? (schema?.enum as readonly unknown[] | undefined) : undefined;
  const neutral = (values ?? []).filter((value) => value !== null);
  return neutral.length === 0 ? [] : [`only ${neutral.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')}`];
}
