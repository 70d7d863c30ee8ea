import { ANTHROPIC_CLIENT } from '../../support/clients/anthropic-client.ts';

export const { complete, stream, abort, useTool, structured, failure, retry } = ANTHROPIC_CLIENT;
