import type { ImagePart, TextPart } from '../../shared/engine/completion-request.ts';
import { membersOf, missing, object, required, text, invalid } from './checks.ts';
import type { JsonObject } from './checks.ts';

/** A part of a type that no model supports. The type is kept for the error message. */
interface OtherPart {
  readonly type: 'input_audio' | 'file';
}

export type ContentPart = TextPart | ImagePart | OtherPart;

/** Only images in the request itself. To fetch others would tell their hosts of the request. */
const IMAGE_ADDRESS = /^data:image\/[^;,]+;base64,/i;

/**
 * Reads the parts of a message's content.
 * @param allowed The part types that the message's role permits.
 */
export function readContentParts(
  parts: readonly unknown[],
  param: string,
  body: JsonObject,
  allowed: readonly string[],
): ContentPart[] {
  return parts.map((value, index) => {
    const path = `${param}[${index}]`;
    const part = object(value, path, body);
    const member = membersOf(part, path, body);
    const type = member('type', required(text));
    if (!allowed.includes(type)) throw invalid('invalid_value', `${path}.type`, `one of ${allowed.join(', ')}`, type);
    switch (type) {
      case 'text':
      case 'refusal':
        return { type: 'text', text: member(type, required(text)) };
      case 'image_url':
        return { type: 'image', url: member('image_url', readImageAddress) };
      default:
        return { type: type as OtherPart['type'] };
    }
  });
}

/** Reads `{url}`, or the URL itself, which some clients send. */
export function readImageAddress(value: unknown, param: string, body: JsonObject): string {
  if (value === undefined || value === null) throw missing(param);
  const bare = typeof value === 'string';
  const path = bare ? param : `${param}.url`;
  const url = required(text)(bare ? value : object(value, param, body).url, path, body);
  const expected = 'the image itself as a data:image/…;base64, address (images are not fetched from other addresses)';
  if (!IMAGE_ADDRESS.test(url)) throw invalid('invalid_value', path, expected, url);
  return url;
}
