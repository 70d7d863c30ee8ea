import { createOpenAI } from '@ai-sdk/openai';
import { aiSdkChatClient } from '../../support/clients/ai-sdk-chat-client.ts';

/** The provider's default model uses the Responses API. */
export const { complete, stream, abort, useTool, structured, failure, retry } = aiSdkChatClient(
  ({ model, fetch }) => createOpenAI({ apiKey: 'local', baseURL: `${location.origin}/v1`, fetch })(model),
  {},
);
