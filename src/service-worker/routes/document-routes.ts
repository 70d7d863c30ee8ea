import {
  BATCH_FIELDS,
  CREATE_STORE_FIELDS,
  SEARCH_FIELDS,
  STORE_FILE_FIELDS,
  UPDATE_STORE_FIELDS,
  UPDATE_STORE_FILE_FIELDS,
} from '../documents-api/document-fields.ts';
import { deleteFile, listFiles, retrieveFile, retrieveFileContent, uploadFile } from '../documents-api/file-routes.ts';
import {
  addStoreFile,
  cancelBatch,
  createBatch,
  listBatchFiles,
  listStoreFiles,
  removeStoreFile,
  retrieveBatch,
  retrieveStoreFile,
  retrieveStoreFileContent,
  retrieveStoreFileVectors,
  updateStoreFile,
} from '../documents-api/store-file-routes.ts';
import {
  createStore,
  deleteStore,
  listStores,
  retrieveStore,
  searchStore,
  updateStore,
} from '../documents-api/vector-store-routes.ts';
import type { PathItem } from './path-item.ts';
import * as schemas from './response-schemas.ts';

const STORE = '/vector_stores/{vector_store_id}';

/** The routes of files and vector stores. */
export const DOCUMENT_ROUTES: readonly PathItem[] = [
  {
    path: '/files',
    GET: { handler: listFiles, response: schemas.LIST },
    POST: { handler: uploadFile, form: schemas.FILE_UPLOAD, response: schemas.FILE },
  },
  {
    path: '/files/{file_id}',
    GET: { handler: retrieveFile, response: schemas.FILE },
    DELETE: { handler: deleteFile, response: schemas.DELETED_FILE },
  },
  {
    path: '/files/{file_id}/content',
    GET: { handler: retrieveFileContent, responseType: 'application/octet-stream', response: schemas.FILE_CONTENT },
  },
  {
    path: '/vector_stores',
    GET: { handler: listStores, response: schemas.LIST },
    POST: { handler: createStore, fields: CREATE_STORE_FIELDS, response: schemas.STORE },
  },
  {
    path: STORE,
    GET: { handler: retrieveStore, response: schemas.STORE },
    POST: { handler: updateStore, fields: UPDATE_STORE_FIELDS, response: schemas.STORE },
    DELETE: { handler: deleteStore, response: schemas.DELETED_STORE },
  },
  { path: `${STORE}/search`, POST: { handler: searchStore, fields: SEARCH_FIELDS, response: schemas.SEARCH_RESULTS } },
  {
    path: `${STORE}/files`,
    GET: { handler: listStoreFiles, response: schemas.LIST },
    POST: { handler: addStoreFile, fields: STORE_FILE_FIELDS, response: schemas.STORE_FILE },
  },
  {
    path: `${STORE}/files/{file_id}`,
    GET: { handler: retrieveStoreFile, response: schemas.STORE_FILE },
    POST: { handler: updateStoreFile, fields: UPDATE_STORE_FILE_FIELDS, response: schemas.STORE_FILE },
    DELETE: { handler: removeStoreFile, response: schemas.DELETED_STORE_FILE },
  },
  {
    path: `${STORE}/files/{file_id}/content`,
    GET: { handler: retrieveStoreFileContent, response: schemas.STORE_FILE_CONTENT },
  },
  {
    path: `${STORE}/files/{file_id}/vectors`,
    GET: {
      handler: retrieveStoreFileVectors,
      responseType: 'application/octet-stream',
      response: schemas.FILE_CONTENT,
    },
  },
  { path: `${STORE}/file_batches`, POST: { handler: createBatch, fields: BATCH_FIELDS, response: schemas.BATCH } },
  { path: `${STORE}/file_batches/{batch_id}`, GET: { handler: retrieveBatch, response: schemas.BATCH } },
  { path: `${STORE}/file_batches/{batch_id}/cancel`, POST: { handler: cancelBatch, response: schemas.BATCH } },
  { path: `${STORE}/file_batches/{batch_id}/files`, GET: { handler: listBatchFiles, response: schemas.LIST } },
];
