import { langchainChatClient } from '../../support/clients/langchain-chat-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = langchainChatClient(false);
