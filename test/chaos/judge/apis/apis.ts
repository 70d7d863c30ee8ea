import type { Api } from './api.ts';
import { CHAT_COMPLETIONS, STORED_COMPLETIONS, UPSTREAM_COMPLETIONS } from './chat-completions.ts';
import { EMBEDDINGS } from './embeddings.ts';
import { MESSAGES } from './messages.ts';
import { PROMPT_API } from './prompt-api.ts';
import { BACKGROUND_RESPONSES, RESPONSES } from './responses.ts';

export const APIS = {
  'chat completions': CHAT_COMPLETIONS,
  'stored completions': STORED_COMPLETIONS,
  'upstream completions': UPSTREAM_COMPLETIONS,
  'Prompt API': PROMPT_API,
  responses: RESPONSES,
  'background responses': BACKGROUND_RESPONSES,
  messages: MESSAGES,
  embeddings: EMBEDDINGS,
} as const satisfies Readonly<Record<string, Api>>;

export type ApiName = keyof typeof APIS;
