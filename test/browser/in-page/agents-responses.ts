import { agentsChatClient } from '../../support/clients/agents-chat-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = agentsChatClient(true);
