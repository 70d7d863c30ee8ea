import type { DocumentCalls } from '../../shared/documents/document-calls.ts';
import type { CallEngine } from '../../shared/engine/engine.ts';
import { withHeadersTimeout } from '../completion/count-prompt-tokens.ts';
import type { Exchange } from '../http/exchange.ts';

type WithoutOwner<Name extends keyof DocumentCalls> = Omit<DocumentCalls[Name]['parameters'], 'owner'>;

/**
 * Calls a function of the engine on the files and vector stores of the request's key.
 * @throws ApiError of the function; `model_loading` if an embedding model is not loaded in time.
 */
export async function callDocuments<Name extends keyof DocumentCalls>(
  exchange: Exchange,
  name: Name,
  parameters: WithoutOwner<Name>,
): Promise<DocumentCalls[Name]['result']> {
  const { requestId, clientId, keyHash } = exchange;
  const owned = { ...parameters, owner: await keyHash() } as DocumentCalls[Name]['parameters'];
  const call: CallEngine = exchange.callEngine;
  return withHeadersTimeout(exchange, call(name, owned, { requestId, clientId })) as Promise<
    DocumentCalls[Name]['result']
  >;
}

/** Names this run of the service worker. */
const SENDER = crypto.randomUUID();

/**
 * Makes a file or a vector store. If the browser stops the service worker meanwhile and repeats the request, the engine makes
 * it once.
 */
export async function createDocument<Name extends 'files/create' | 'stores/create'>(
  exchange: Exchange,
  name: Name,
  parameters: Omit<WithoutOwner<Name>, 'sender'>,
): Promise<DocumentCalls[Name]['result']> {
  const made = await callDocuments(exchange, name, { ...parameters, sender: SENDER } as unknown as WithoutOwner<Name>);
  // Only a repetition would notice that it is not confirmed.
  callDocuments(exchange, 'documents/confirm', { id: made.id }).catch(() => {});
  return made;
}
