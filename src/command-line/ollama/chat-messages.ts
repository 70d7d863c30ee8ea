import { invalid, isAbsent, readArray, readObject, readText, type JsonObject } from './read-fields.ts';

/** The type of an image by the beginning of its base64 text. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
};

interface CalledFunction {
  readonly id: string;
  readonly name: string;
}

/**
 * Converts messages to those of the endpoint. In its format a tool result repeats the id of its call. Many clients of
 * Ollama send at most the tool's name, not the id, but send the results in the order of the calls.
 */
export function toChatMessages(messages: readonly unknown[]): object[] {
  let called: CalledFunction[] = [];
  return messages.map((value, index) => {
    const path = `messages[${index}]`;
    const message = readObject(value, path);
    const role = readText(message.role, `${path}.role`);
    const content = userContent(readText(message.content, `${path}.content`), message.images, `${path}.images`);
    if (role === 'tool') return { role, content, tool_call_id: takeCall(called, message, path) };
    const calls = readCalls(message, path, index);
    called = calls.map(({ id, function: { name } }) => ({ id, name }));
    return { role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  });
}

/** @param images Images in base64, as in Ollama's API, or as `data:` addresses. */
export function userContent(text: string, images: unknown, path: string): string | object[] {
  const parts = readArray(images, path).map((image, index) => {
    if (typeof image !== 'string') throw invalid(`${path}[${index}]`, 'an image in base64', image);
    return { type: 'image_url', image_url: { url: imageAddress(image) } };
  });
  return parts.length === 0 ? text : [{ type: 'text', text }, ...parts];
}

function imageAddress(image: string): string {
  if (image.startsWith('data:')) return image;
  const [, type = 'image/png'] = Object.entries(IMAGE_TYPES).find(([start]) => image.startsWith(start)) ?? [];
  return `data:${type};base64,${image}`;
}

function readCalls({ tool_calls: calls }: JsonObject, path: string, message: number) {
  return readArray(calls, `${path}.tool_calls`).map((value, index) => {
    const name = `${path}.tool_calls[${index}]`;
    const call = readObject(value, name);
    const called = readObject(call.function, `${name}.function`);
    const given = isAbsent(called.arguments) ? {} : readObject(called.arguments, `${name}.function.arguments`);
    return {
      id: readText(call.id, `${name}.id`) || `call_${message}_${index}`,
      type: 'function',
      function: { name: readText(called.name, `${name}.function.name`), arguments: writeArguments(given, name) },
    };
  });
}

function writeArguments(given: JsonObject, path: string): string {
  try {
    return JSON.stringify(given);
  } catch {
    throw invalid(`${path}.function.arguments`, 'nested less deeply', given);
  }
}

/**
 * Finds the call that a tool result belongs to, and removes it from the list of open calls. @returns its id; if no call
 * is open, the id that the message contains.
 */
function takeCall(open: CalledFunction[], message: JsonObject, path: string): string {
  const id = readText(message.tool_call_id, `${path}.tool_call_id`);
  const name = readText(message.tool_name, `${path}.tool_name`) || readText(message.name, `${path}.name`);
  const byId = open.findIndex((call) => call.id === id);
  const byName = open.findIndex((call) => call.name === name);
  const [call] = open.splice(Math.max(byId >= 0 ? byId : byName, 0), 1);
  return call?.id ?? id;
}
