import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';

const WHY = 'It was never on this device, was deleted or has expired, or belongs to another key.';

export function fileNotFound(id: string, where = '', param = 'file_id'): ApiError {
  return new ApiError('file_not_found', `No file${where} has the id ${quote(id)}. ${WHY}`, { param });
}

export function storeNotFound(id: string, what = 'vector store'): ApiError {
  const sentence = `No ${what} has the id ${quote(id)}. ${WHY}`;
  return new ApiError('vector_store_not_found', sentence, { param: 'vector_store_id' });
}
