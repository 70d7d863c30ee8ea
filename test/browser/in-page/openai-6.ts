import OpenAI from 'openai';
import { openaiChatClient } from '../../support/clients/openai-chat-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = openaiChatClient(OpenAI);
