import { ApiError } from '../../src/shared/api-error.ts';
import { loadFamily, type Asked } from './ask-family.ts';
import { familyTable, type Cell, type FamilyTable } from './family-table.ts';
import { publishedTemplates } from './fetch-templates.ts';
import { IMAGE_BEHAVIOURS, IMAGE_WORD, placesOf } from './image-behaviours.ts';
import { llamaPrompts, type TextMessage } from './llama-prompts.ts';
import { renderNatively, type Native } from './render-natively.ts';
import { VISION_FAMILIES } from './vision-families.ts';

type Attempt = NonNullable<Asked['rendering']> | ApiError;

/** Tries conversations with images, which llama.cpp renders, and compares where the images stand. */
export async function imageTable(): Promise<FamilyTable> {
  const published = publishedTemplates();
  const sources = VISION_FAMILIES.map(({ template }) =>
    'file' in template ? published.get(`${template.file}.jinja`)! : template.short,
  );
  const native = renderNatively(sources, IMAGE_BEHAVIOURS);
  const attempts = await Promise.all(sources.map(attemptsOf));
  const prompts = await llamaPrompts(
    sources.map((template, index) => ({ template, requests: attempts[index]!.map(textRequest) })),
  );
  const rows = VISION_FAMILIES.map(({ name, mark }, family) => {
    const cells = IMAGE_BEHAVIOURS.map((behaviour, column) => {
      const attempt = attempts[family]![column]!;
      const cell: Cell =
        attempt instanceof ApiError
          ? { text: `refused: ${attempt.message}`, fault: attempt.status === 400 ? null : attempt.message }
          : cellOf(prompts[family]![column]!, native[family]![column]!, mark, placesOf(behaviour.request));
      return [behaviour.name, cell] as const;
    });
    return [name, new Map(cells)] as const;
  });
  return familyTable(new Map(rows));
}

async function attemptsOf(template: string): Promise<readonly Attempt[]> {
  const family = await loadFamily(template, [], true);
  const attempts: Attempt[] = [];
  for (const { request } of IMAGE_BEHAVIOURS) {
    try {
      attempts.push((await family.ask(request)).rendering!);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      attempts.push(thrown);
    }
  }
  return attempts;
}

/** Puts a word in the place of each image. wllama puts a text there, too, in whose place llama.cpp puts the image. */
function textRequest(attempt: Attempt): { readonly messages: readonly TextMessage[] } {
  if (attempt instanceof ApiError) return { messages: [] };
  const messages = attempt.messages.map(({ content, ...message }) => ({
    ...message,
    content:
      typeof content === 'string'
        ? content
        : content.map((part) => ({ type: 'text' as const, text: part.text ?? IMAGE_WORD })),
  }));
  return { ...attempt, messages };
}

function cellOf(prompt: string, native: Native, mark: string, places: readonly string[]): Cell {
  const wanted = 'text' in native ? shown(native.text).replaceAll(mark, IMAGE_WORD) : null;
  if (shown(prompt) === wanted) return { text: 'yes', fault: null };
  const isPlaced = new RegExp(places.join('[^«]*'), 's').test(prompt);
  const images = prompt.split(IMAGE_WORD).length - 1;
  const isRight = isPlaced && images === places.filter((place) => place === IMAGE_WORD).length;
  return { text: isRight ? 'adapted' : 'no', fault: isRight ? null : `${places.join(', ')} are not in ${prompt}` };
}

/** Returns a prompt without its first token, and without what llama.cpp leaves out when it turns tokens into text. */
function shown(prompt: string): string {
  return prompt.replace(/^<s>/, '').replaceAll(/ +(?=[.,?!'])/g, '');
}
