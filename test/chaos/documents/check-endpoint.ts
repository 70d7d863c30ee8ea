import type { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import type { DocumentReply, DocumentRequest, StoredDocuments } from '../in-page/documents.ts';
import { checkDocuments, type CheckResult } from './check-documents.ts';
import type { DocumentLedger } from './document-ledger.ts';

/** Checks an endpoint of one process as a run checks that of a browser. */
export function checkEndpoint(endpoint: DocumentEndpoint, ledger: DocumentLedger): Promise<CheckResult> {
  const tab = {
    async call(_name: string, _origin: string, { method, path, body }: DocumentRequest): Promise<DocumentReply> {
      const response = await endpoint.app.send(path, { method, ...(body && { body: JSON.stringify(body) }) });
      return { status: response.status, text: await response.text() };
    },
    async callBriefly(_name: string, _origin: string, words: readonly string[]): Promise<StoredDocuments> {
      const found: string[] = [];
      for (const [name, content] of endpoint.stored.contents) {
        const text = await content.text();
        for (const word of words) if (text.includes(word)) found.push(`${word} in ${name}`);
      }
      return { blobs: [...endpoint.stored.contents.keys()], found };
    },
  };
  return checkDocuments({ tab, origin: '', ledgers: [ledger], mayFail: false, tidyingTime: 0, pollInterval: 0 });
}
