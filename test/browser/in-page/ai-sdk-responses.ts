import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { aiSdkChatClient } from '../../support/clients/ai-sdk-chat-client.ts';

/** The provider's default model uses the Responses API. */
export const { complete, stream, abort, useTool, structured, failure, retry } = aiSdkChatClient(
  ai,
  ({ model, fetch }) => createOpenAI({ apiKey: 'local', baseURL: `${location.origin}/v1`, fetch })(model),
  {},
);
