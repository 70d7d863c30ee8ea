import { stringsIn } from '../json-values.ts';

/** Fields of chunks and errors whose strings are not written for people. */
const TECHNICAL =
  /^(?:id|object|type|model|created|created_at|createdAt|role|index|event|status|provider|system_fingerprint|service_tier|finish_?reason|done_reason|stop_reason|native_finish_reason|logprobs|usage|obfuscation|content_filter_results|prompt_filter_results|timestamp|mime_?type|.*_id)$/i;

/** Returns the strings in a server's chunk or error of unknown form that are written for people, separated by blanks. */
export function chunkWords(value: unknown): string {
  return stringsIn(value, ' ', TECHNICAL);
}
