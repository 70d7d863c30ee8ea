import { ApiError } from '../../shared/api-error.ts';
import { FILE_PURPOSES, type FilePurpose } from '../../shared/documents/document-objects.ts';
import type { Exchange } from '../http/exchange.ts';
import { invalid, missing, oneOf, optional, required, unsupported } from '../request/checks.ts';
import { fileExpiry } from './document-fields.ts';

const MAX_FILENAME = 255;

export interface Upload {
  readonly content: Blob;
  readonly filename: string;
  readonly purpose: FilePurpose;
  /** Seconds. */
  readonly expiresAfter: number | null;
}

/**
 * Reads the body of `POST /files`, a form with a file.
 * @throws ApiError `unsupported_content_type` for another body; `request_too_large` for a file that exceeds
 * `maxFileBytes`; others that name the field at fault.
 */
export async function readUpload({ request, settings: { maxFileBytes } }: Exchange): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    const sentence = `Upload a file as \`multipart/form-data\`, with the fields \`file\` and \`purpose\`, instead of \`${type.slice(0, 100)}\`.`;
    throw new ApiError('unsupported_content_type', sentence);
  }
  const tooLarge = () => {
    const sentence = `A file may have at most ${maxFileBytes} bytes.`;
    return new ApiError('request_too_large', sentence, { param: 'file' });
  };
  if (Number(request.headers.get('content-length')) > 2 * maxFileBytes) throw tooLarge();
  const form = await request.formData().catch(() => {
    throw new ApiError('invalid_value', 'The request body is no complete `multipart/form-data`.');
  });
  const file = onlyField(form, 'file');
  if (file === null) throw missing('file');
  if (typeof file === 'string') throw invalid('invalid_type', 'file', 'a file with a name', file);
  if (file.size > maxFileBytes) throw tooLarge();
  if (file.size === 0) throw new ApiError('invalid_value', '`file` is empty.', { param: 'file' });
  if (file.name === '' || file.name.length > MAX_FILENAME) {
    throw invalid('invalid_value', 'file', `a file whose name has 1 to ${MAX_FILENAME} characters`, file.name);
  }
  const purpose = required(oneOf(FILE_PURPOSES))(onlyField(form, 'purpose') ?? undefined, 'purpose', {});
  unsupported()(onlyField(form, 'replaces_file_id') ?? undefined, 'replaces_file_id', {});
  const expiresAfter = optional(null, fileExpiry)(readExpiry(form), 'expires_after', {});
  return { content: file, filename: file.name, purpose, expiresAfter };
}

/** Returns a field that may be given once; null if it is absent. */
function onlyField(form: FormData, name: string): FormDataEntryValue | null {
  const [field = null, ...others] = form.getAll(name);
  if (others.length === 0) return field;
  throw new ApiError('invalid_value', `\`${name}\` is given ${others.length + 1} times. Send one.`, { param: name });
}

/** Returns the expiration policy of a form, whose members clients send as fields of their own. */
function readExpiry(form: FormData): object | null {
  const anchor = onlyField(form, 'expires_after[anchor]');
  const seconds = onlyField(form, 'expires_after[seconds]');
  if (anchor === null && seconds === null) return null;
  return { anchor, seconds: typeof seconds === 'string' && /^\d+$/.test(seconds) ? Number(seconds) : seconds };
}
