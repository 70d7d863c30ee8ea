import type { Tokens } from 'marked';

/** Matches the first line of a block of Markdown, of plain text, or without a language. */
const OPENING =
  /^( {0,3})(`{3,}|~{3,})[ \t]*((?:(?:markdown|md|mdx|qmd|rmd|te?xt|plain(?:text)?)(?![\w-])[^`\n]*)?)(?:\n|$)/i;
/** Matches a fence that opens a block within plain text: there, a word after a space is no language. */
const OPENS_IN_TEXT = /^[ \t]*(?:`{3,}|~{3,})[a-z]/i;
const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^`\n]*?)[ \t]*$/;

/**
 * Reads a code block of Markdown or plain text. In it, a fence with a language opens a block of its own, which the next
 * bare fence closes: models write Markdown files that contain code, but do not lengthen the outer fence as CommonMark
 * requires.
 * The end must not depend on later text, because an answer is drawn while it grows.
 * @param isWhole Whether no text follows. A block without a language that is still open then is read as CommonMark
 * reads it, so that its first bare fence ends it and the text below is no code.
 * @returns undefined if the text does not begin with such a block.
 */
export function nestedFence(text: string, isWhole: boolean): Tokens.Code | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return;
  const [first, indentation = '', outer = '', lang = ''] = opening;
  const isMarkdown = /^[mqr]/i.test(lang);
  const nested: string[] = [];
  let isClosed = false;
  let hasBareFence = false;
  const lines: string[] = [];
  let end = first.length;
  // Line by line, because the text below may have thousands of further blocks.
  for (let isLast = false; !isLast;) {
    const next = text.indexOf('\n', end);
    isLast = next < 0;
    const line = text.slice(end, isLast ? undefined : next);
    const [, before = '', fence = '', language = ''] = FENCE.exec(line) ?? [];
    if (
      fence[0] === outer[0] &&
      fence.length >= outer.length &&
      language !== '' &&
      (isMarkdown || OPENS_IN_TEXT.test(line))
    )
      nested.push(fence);
    else if (language === '' && closes(fence, nested.at(-1) ?? outer)) {
      hasBareFence ||= before.length <= 3;
      if (nested.length > 0) nested.pop();
      else if (before.length <= 3) {
        isClosed = true;
        end += line.length;
        break;
      }
    }
    lines.push(line.replace(new RegExp(`^ {0,${indentation.length}}`), ''));
    end += line.length + (isLast ? 0 : 1);
  }
  if (isWhole && !isClosed && !isMarkdown && hasBareFence) return;
  return { type: 'code', raw: text.slice(0, end), lang: lang.trim(), text: lines.join('\n') };
}

/** Whether a bare fence ends the block that `opener` began. */
function closes(fence: string, opener: string): boolean {
  return fence[0] === opener[0] && fence.length >= opener.length;
}
