import { ApiError } from '../shared/api-error.ts';
import { say } from './strings/say.ts';

/** The smallest module: its magic number and version. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/**
 * Finds out whether this worker may compile WebAssembly, which every model needs, except the browser's own.
 * @returns the error that says what the site's Content-Security-Policy lacks; null if nothing forbids WebAssembly.
 */
export function webAssemblyFault(): ApiError | null {
  try {
    void new WebAssembly.Module(EMPTY_MODULE);
    return null;
  } catch (thrown) {
    return new ApiError('model_load_failed', say('webAssemblyForbidden'), { cause: thrown });
  }
}
