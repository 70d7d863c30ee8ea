import type OpenAI from 'openai';
import OpenAI7 from 'openai7';
import { openaiChatClient } from '../../support/clients/openai-chat-client.ts';

// The two versions differ only in private members, so one type fits both.
export const { complete, stream, abort, useTool, structured, failure, retry } = openaiChatClient(
  OpenAI7 as unknown as typeof OpenAI,
);
