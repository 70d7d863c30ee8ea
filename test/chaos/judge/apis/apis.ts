import type { Api } from './api.ts';
import { CHAT_COMPLETIONS } from './chat-completions.ts';
import { EMBEDDINGS } from './embeddings.ts';
import { MESSAGES } from './messages.ts';
import { RESPONSES } from './responses.ts';

export const APIS = {
  'chat completions': CHAT_COMPLETIONS,
  responses: RESPONSES,
  messages: MESSAGES,
  embeddings: EMBEDDINGS,
} as const satisfies Readonly<Record<string, Api>>;

export type ApiName = keyof typeof APIS;
