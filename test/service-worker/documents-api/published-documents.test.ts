import { expect, test } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { expectPublishedForm } from '../support/published-schemas.ts';

test('each object of files, vector stores and file_search has the published form', async () => {
  const endpoint = new DocumentEndpoint();
  const send = async (method: string, path: string, body?: object) => {
    const { httpStatus, ...object } = await endpoint.json<{ httpStatus: number }>(method, path, body);
    expect([path, httpStatus]).toEqual([path, 200]);
    return object as { readonly id: string };
  };
  const fields = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
  const file = (await (await endpoint.upload('Whales eat krill.', 'a.txt', fields)).json()) as { id: string };
  expectPublishedForm('OpenAIFile', file);
  expectPublishedForm('OpenAIFile', await send('GET', `/files/${file.id}`));
  expectPublishedForm('ListFilesResponse', await send('GET', '/files'));

  const expires_after = { anchor: 'last_active_at', days: 1 };
  const chunking_strategy = { type: 'static', static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 10 } };
  const store = await send('POST', '/vector_stores', { name: 'Sea', expires_after, metadata: { a: 'b' } });
  const path = `/vector_stores/${store.id}`;
  expectPublishedForm('VectorStoreObject', store);
  const added = { file_id: file.id, attributes: { kind: 'animal', year: 2020, wild: true }, chunking_strategy };
  expectPublishedForm('VectorStoreFileObject', await send('POST', `${path}/files`, added));
  await endpoint.indexed(store.id);
  expectPublishedForm('VectorStoreObject', await send('POST', path, { expires_after: null }));
  expectPublishedForm('ListVectorStoresResponse', await send('GET', '/vector_stores'));
  expectPublishedForm('VectorStoreFileObject', await send('GET', `${path}/files/${file.id}`));
  expectPublishedForm('ListVectorStoreFilesResponse', await send('GET', `${path}/files`));
  expectPublishedForm('VectorStoreFileContentResponse', await send('GET', `${path}/files/${file.id}/content`));
  expectPublishedForm('VectorStoreSearchResultsPage', await send('POST', `${path}/search`, { query: 'krill' }));

  const bad = await endpoint.uploaded('\0', 'b.bin');
  const batch = await send('POST', `${path}/file_batches`, { file_ids: [bad] });
  expectPublishedForm('VectorStoreFileBatchObject', batch);
  await endpoint.indexed(store.id);
  expectPublishedForm('VectorStoreFileObject', await send('GET', `${path}/files/${bad}`));
  expectPublishedForm('ListVectorStoreFilesResponse', await send('GET', `${path}/file_batches/${batch.id}/files`));
  expectPublishedForm('VectorStoreFileBatchObject', await send('POST', `${path}/file_batches/${batch.id}/cancel`, {}));

  const response = (await send('POST', '/responses', {
    model: 'pocket',
    input: 'What eats krill?',
    store: false,
    include: ['file_search_call.results'],
    tools: [{ type: 'file_search', vector_store_ids: [store.id] }],
  })) as { readonly id: string; readonly output: readonly object[]; readonly tools: readonly object[] };
  expectPublishedForm('FileSearchToolCall', response.output[0]);
  expectPublishedForm('FileSearchTool', response.tools[0]);

  expectPublishedForm('DeleteVectorStoreFileResponse', await send('DELETE', `${path}/files/${file.id}`));
  expectPublishedForm('DeleteVectorStoreResponse', await send('DELETE', path));
  expectPublishedForm('DeleteFileResponse', await send('DELETE', `/files/${file.id}`));
});
