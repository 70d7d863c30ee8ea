import type OpenAI from 'openai';
import OpenAI6 from 'openai6';
import { openaiChatClient } from '../../support/clients/openai-chat-client.ts';

// The two versions differ in private members only, so one type does for what is called here.
export const { complete, stream, abort, useTool, structured, failure, retry } = openaiChatClient(
  OpenAI6 as unknown as typeof OpenAI,
);
