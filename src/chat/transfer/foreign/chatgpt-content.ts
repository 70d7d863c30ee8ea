import { inFence } from '../../../shared/in-fence.ts';
import { withoutBlankEnds, withoutMarks } from './chatgpt-marks.ts';
import { jsonOf, listOf, recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstText, joinTexts, wordsIn } from './foreign-values.ts';
import type { MessageContent } from './message-content.ts';

/** Adds what a person or the model said. */
export function addSaid(into: MessageContent, message: Fields): void {
  const metadata = recordOf(message['metadata']);
  const content = recordOf(message['content']);
  const isThinking = message['channel'] === 'analysis';
  switch (content['content_type']) {
    case 'text':
    case 'multimodal_text':
    case undefined: {
      const said = joinTexts(listOf(content['parts']).map((part) => addPart(into, part)));
      const whole = said || textOf(content['text']);
      const isQuestion = recordOf(message['author'])['role'] === 'user';
      // A question has no marks, and its characters may be icons of a font.
      const text = isQuestion ? withoutBlankEnds(whole) : withoutMarks(into, whole, metadata);
      into.say(
        textOf(metadata['targeted_reply'])
          .trim()
          .replace(/^(?=.)/gm, '> '),
      );
      if (isThinking) into.think(text);
      else into.say(text);
      return addAttachments(into, content, metadata);
    }
    case 'thoughts':
      for (const thought of listOf(content['thoughts']).map(recordOf)) {
        into.think(joinTexts([textOf(thought['summary']), textOf(thought['content'])]));
      }
      return;
    case 'reasoning_recap':
      return into.think(textOf(content['content']));
    case 'code':
      return into.say(inFence(textOf(content['text']), languageOf(content)));
    default:
      into.say(withoutMarks(into, wordsIn(content), metadata));
      addAttachments(into, content, metadata);
  }
}

/** Adds a message of the model to a tool: a document of the canvas, a program, or another call. */
export function addCall(into: MessageContent, recipient: string, content: Fields): void {
  const text = textOf(content['text']) || joinTexts(listOf(content['parts']).map((part) => textOf(part)));
  const input = jsonOf(text);
  const fields = recordOf(input);
  if (recipient.startsWith('canmore')) return addDocument(into, text, fields);
  // A program for Python may look like JSON.
  if (Object.keys(fields).length > 0 && recipient !== 'python') return into.call(recipient, fields);
  const isProgram = content['content_type'] === 'code' && !/web|browser|search|bio/.test(recipient);
  if (isProgram) into.say(inFence(text, languageOf(content) || (/python/.test(recipient) ? 'python' : '')));
  else into.call(recipient, text || wordsIn(content));
}

/** Adds a document of the canvas, or the changes and comments to one. */
function addDocument(into: MessageContent, text: string, fields: Fields): void {
  const name = firstText(fields['name'], fields['title']);
  const content = textOf(fields['content']);
  const changes = [...listOf(fields['updates']), ...listOf(fields['comments'])].map(recordOf);
  if (content === '' && changes.length === 0) return into.say(inFence(text));
  if (content !== '') {
    const [, language] = /^code\/(.+)$/.exec(textOf(fields['type'])) ?? [];
    into.say(joinTexts([name === '' ? '' : `**${name}**`, inFence(content, language ?? 'markdown')]));
  }
  for (const { pattern, replacement, comment } of changes) {
    // This pattern stands for the whole document.
    const place = pattern === '.*' ? '' : textOf(pattern);
    into.say(
      joinTexts([place === '' ? '' : inFence(place), replacement ? inFence(textOf(replacement)) : textOf(comment)]),
    );
  }
}

/** Adds what a tool has returned. Output of programs and images are part of the answer, the rest of the thinking. */
export function addResult(into: MessageContent, message: Fields): void {
  const content = recordOf(message['content']);
  const parts = listOf(content['parts']).map((part) => addPart(into, part));
  const words = content['content_type'] === 'execution_output' ? textOf(content['text']) : '';
  const runs = listOf(recordOf(recordOf(message['metadata'])['aggregate_result'])['messages']).map(recordOf);
  if (words.trim() !== '') into.say(inFence(words));
  else into.think(joinTexts(parts) || (parts.length === 0 ? wordsIn(content) : ''));
  into.leaveOut('images', '', runs.filter(({ message_type: type }) => type === 'image').length);
  addAttachments(into, content, recordOf(message['metadata']));
}

/** Returns the text of a part; counts the images, audio and videos, which are not in the file. */
function addPart(into: MessageContent, part: unknown): string {
  if (typeof part === 'string') return part;
  const fields = recordOf(part);
  const type = textOf(fields['content_type']);
  // Images are counted together with the attachments, which name them.
  if (type === 'image_asset_pointer') return '';
  if (/audio_video/.test(type)) {
    into.leaveOut('audio');
    const frames = listOf(fields['frames_asset_pointers']).length;
    if (frames > 0 || fields['video_container_asset_pointer']) into.leaveOut('videos');
    return '';
  }
  if (/audio.*pointer/.test(type)) into.leaveOut('audio');
  else if (/video.*pointer/.test(type)) into.leaveOut('videos');
  else if (/pointer/.test(type)) into.leaveOut('files');
  return textOf(fields['text']) || wordsIn(fields);
}

/** Returns the words by which the model asked for an image. */
function promptOf(part: Fields): string {
  const metadata = recordOf(part['metadata']);
  return firstText(recordOf(metadata['dalle'])['prompt'], recordOf(metadata['generation'])['prompt']);
}

/** Counts the attached files and the images. An image is both a part and an attachment, but counts once. */
function addAttachments(into: MessageContent, content: Fields, metadata: Fields): void {
  const shown = listOf(content['parts']).filter((part) => recordOf(part)['content_type'] === 'image_asset_pointer');
  const attached = listOf(metadata['attachments']).map(recordOf);
  const images = attached.filter(isImage);
  for (const { name } of images) into.leaveOut('images', textOf(name));
  for (const part of shown.slice(images.length)) into.leaveOut('images', promptOf(recordOf(part)));
  for (const file of attached.filter((one) => !isImage(one))) {
    const type = firstText(file['mime_type'], file['mimeType']);
    into.leaveOut(
      type.startsWith('audio') ? 'audio' : type.startsWith('video') ? 'videos' : 'files',
      textOf(file['name']),
    );
  }
}

function languageOf({ language }: Fields): string {
  return language === 'unknown' || !/^[\w+#-]+$/.test(textOf(language)) ? '' : textOf(language);
}

function isImage(file: Fields): boolean {
  const type = firstText(file['mime_type'], file['mimeType']);
  return type.startsWith('image') || /\.(?:png|jpe?g|gif|webp|heic)$/i.test(textOf(file['name']));
}
