import { ApiError } from '../../shared/api-error.ts';

/**
 * Awaits a result. An error about the field `from`, as a called function names it, becomes one about the field `to`, as the
 * request does.
 * @param from Null for every error.
 */
export async function renameParam<Result>(result: Promise<Result>, from: string | null, to: string): Promise<Result> {
  try {
    return await result;
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || (from ?? thrown.param) !== thrown.param) throw thrown;
    throw ApiError.fromData({ ...thrown.toData(), param: to });
  }
}
