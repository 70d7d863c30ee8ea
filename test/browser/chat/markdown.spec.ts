import { expect, type Page } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { test } from '../../support/pages/shared-context.ts';

/** Imports one chat for each answer; its title is the key. */
async function importAnswers(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  const chats = Object.entries(answers).map(([title, text]) => ({
    conversation: sampleConversation({ id: title, title, leaf: `${title}-a` }),
    messages: [
      sampleQuestion({ id: `${title}-q`, conversation: title, parent: null, text: 'Show me' }),
      sampleAnswer({ id: `${title}-a`, conversation: title, parent: `${title}-q`, text }),
    ],
  }));
  await page.locator('conversation-list input[type=file]').setInputFiles({
    name: 'chats.json',
    mimeType: 'application/json',
    buffer: Buffer.from(conversationFile(chats)),
  });
}

test('formulas, bold words and ranges are recognised in Chinese, Japanese and Korean answers', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, {
    formulas: '其中$x$是变量，$y$为结果。\n\n変数$n$は整数です。\n\n\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}',
    bold: 'これは**「重要」**です。\n\n**注意：**这是一个测试。\n\n한국어에서 **"중요"**는 이렇게.',
    ranges: '需要3~5天，费用10~20元。\n\nIt costs 20$-30$, 5$ or 6$. Join ${HOME}/${USER}.',
  });
  await chat.chatInList('formulas').click();
  await expect(chat.answers.locator('math')).toHaveCount(4);
  await expect(chat.answers.locator('.formula.display math mtr')).toHaveCount(2);
  await chat.chatInList('bold').click();
  await expect(chat.answers.locator('strong')).toHaveText(['「重要」', '注意：', '"중요"']);
  await chat.chatInList('ranges').click();
  await expect(chat.answers).toContainText('费用10~20元。');
  await expect(chat.answers).toContainText('It costs 20$-30$, 5$ or 6$. Join ${HOME}/${USER}.');
  await expect(chat.answers.locator('del, math, .formula')).toHaveCount(0);
});

test('an extremely nested answer is shown, and so is every chat that is opened after it @firefox', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, {
    quotes: `${'>'.repeat(4000)} deepest quote`,
    lists: `${'- '.repeat(4000)}deepest item`,
    steps: Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- step ${depth}`).join('\n'),
    after: 'A **plain** answer.',
  });
  for (const [title, words] of [
    ['quotes', 'deepest quote'],
    ['lists', 'deepest item'],
    ['steps', 'step 199'],
  ] as const) {
    await chat.chatInList(title).click();
    await expect(chat.answers.locator('.blocks')).toContainText(words);
    await chat.chatInList('after').click();
    await expect(chat.answers.locator('strong')).toHaveText('plain');
  }
  expect(problems).toEqual([]);
});

test('a block that cannot be rendered is shown as plain text, between rendered blocks', async ({ page }) => {
  await page.addInitScript(() => {
    // Makes every table fail, as an unexpected error of the renderer would.
    const clone = Node.prototype.cloneNode;
    HTMLTableElement.prototype.cloneNode = function (deep) {
      if (this.closest('body') === null) throw new RangeError('Maximum call stack size exceeded');
      return clone.call(this, deep);
    };
  });
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, { table: '**Before**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n**After**' });
  await chat.chatInList('table').click();
  await expect(chat.answers.locator('strong')).toHaveText(['Before', 'After']);
  await expect(chat.answers.locator('.unrendered')).toHaveText('| a | b | |---|---| | 1 | 2 |');
});

test('a copied selection contains the text of the messages and no button labels', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, { code: 'First words.\n\n```bash\nnpm i\n```\n\nLast words.' });
  await chat.chatInList('code').click();
  await expect(chat.answers.locator('figure')).toBeVisible();
  // Drags the mouse from the question to below the answer's buttons.
  const question = (await chat.questions.first().boundingBox())!;
  const answer = (await chat.answers.first().boundingBox())!;
  await page.mouse.move(question.x + 1, question.y + 1);
  await page.mouse.down();
  await page.mouse.move(answer.x + answer.width - 2, answer.y + answer.height - 2, { steps: 10 });
  await page.mouse.up();
  await page.keyboard.press('ControlOrMeta+c');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('First words.');
  expect(copied).toContain('npm i');
  expect(copied).toContain('Last words.');
  const labels = await page.getByRole('button').allInnerTexts();
  const lines = copied.split('\n').map((line) => line.trim());
  expect(lines.filter((line) => labels.some((label) => label.trim() !== '' && line === label.trim()))).toEqual([]);
  expect(copied).not.toContain('bash');
});

test('characters of code that are not drawn are marked, before and after it is highlighted, and copies have the true text', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  const chat = new ChatPage(page);
  const code = "// check \u202E\u2066name\u2069\nconst \u3164 = 'a\u200Bb'; // ❤️";
  await importAnswers(page, {
    hidden: `Inline \`x\u00ADy\`.\n\n\`\`\`js\n${code}\n\`\`\`\n\n\`\`\`\n\u202Eplain\n\`\`\``,
  });
  await chat.chatInList('hidden').click();
  const marks = chat.answers.locator('.hidden-character');
  const codes = () => marks.evaluateAll((all) => all.map((mark) => getComputedStyle(mark, '::before').content));
  await expect(chat.answers.locator('.hljs-comment').first()).toBeVisible();
  expect(await codes()).toEqual(
    ['U+00AD', 'U+202E', 'U+2066', 'U+2069', 'U+3164', 'U+200B', 'U+202E'].map((code) => `"${code}"`),
  );
  const block = chat.answers.locator('figure.code').first();
  expect(await block.locator('code').evaluate((element) => element.textContent)).toBe(code);
  await block.getByRole('button', { name: 'Copy this code' }).click();
  await expect(block.getByRole('button', { name: 'Copy this code' })).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  // What follows the mark of a reversing character is not reversed.
  const [name, after] = await block.locator('code').evaluate((element) => {
    const place = (text: string) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode as Text;
        const at = node.data.indexOf(text);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect().left;
      }
      return NaN;
    };
    return [place('name'), place('ame')];
  });
  expect(after).toBeGreaterThan(name!);
});

test('a paragraph, list or heading that begins with code has the direction of its words @firefox', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, {
    directions:
      '`npm i` ثم شغّل البرنامج.\n\n- `ls` يعرض الملفات\n\n## `git` في العمل\n\n`a` is English.\n\n> [!NOTE]\n> `x` מילים',
  });
  await chat.chatInList('directions').click();
  await expect(chat.answers.locator('.alert')).toBeVisible();
  const directions = await chat.answers
    .locator('.blocks :is(p, ul, h2, .alert)')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
  expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'rtl', 'rtl', 'rtl']);
});

test('details open by keyboard, footnotes are raised, definitions and alerts are drawn @firefox', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, {
    kinds:
      'Text[^1].\n\n<details>\n<summary>More</summary>\n\nA *hidden* word.\n\n</details>\n\nApple\n: Fruit\n\n> [!WARNING]\n> Hot.\n\n[^1]: Note.',
  });
  await chat.chatInList('kinds').click();
  await expect(chat.answers.locator('sup')).toHaveText(['1', '1']);
  await expect(chat.answers.locator('dt, dd')).toHaveText(['Apple', 'Fruit']);
  await expect(chat.answers.locator('.alert.warning .title')).toHaveText('Warning');
  await expect(chat.answers.getByText('hidden')).toBeHidden();
  await chat.answers.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(chat.answers.getByText('hidden')).toBeVisible();
});

test('a table that is being written is a table from its first row on', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, { first: 'A **plain** answer.' });
  await chat.chatInList('first').click();
  await expect(chat.answers.locator('strong')).toHaveText('plain');
  const written = '| City | River |\n|------|:-----:|\n| Ulm | Donau |\n| Bonn';
  const shown = await page.evaluate(async (text) => {
    const element = document.createElement('markdown-text');
    element.growing = true;
    document.body.append(element);
    const tables: boolean[] = [];
    for (let end = 3; end <= text.length; end += 1) {
      element.text = text.slice(0, end);
      await element.updateComplete;
      tables.push(element.shadowRoot!.querySelector('table') !== null);
    }
    return tables;
  }, written);
  expect(shown).not.toContain(false);
});

test('words beside the language of code, numbers of lists and addresses that no link uses are seen @firefox', async ({
  page,
}) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  const line = 'a word '.repeat(60).trim();
  await importAnswers(page, {
    words: `[User]: Hi\n\n\`\`\`js title="a.js"\n1;\n\`\`\`\n\n\`\`\`${line}\n2;\n\`\`\`\n\n9. nine\n3. three\n\n[1]: https://a.example/b`,
  });
  await chat.chatInList('words').click();
  await expect(chat.answers.getByText('[User]: Hi')).toBeVisible();
  const captions = chat.answers.locator('figcaption');
  await expect(captions.locator('span')).toHaveText(['js title="a.js"', line]);
  const areWrapped = await captions.evaluateAll((all) => all.map((one) => one.scrollWidth <= one.clientWidth));
  expect(areWrapped).toEqual([true, true]);
  await expect(chat.answers.locator('li').last()).toHaveJSProperty('value', 3);
  await expect(chat.answers.getByRole('link', { name: 'https://a.example/b' })).toBeVisible();
});

test('a name in a growing answer becomes a link once its address is written, and nothing that was seen goes', async ({
  page,
}) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await importAnswers(page, { first: 'A **plain** answer.' });
  await chat.chatInList('first').click();
  await expect(chat.answers.locator('strong')).toHaveText('plain');
  const written = '# Start\n\nSee [the *docs*][1] and `[1]`.\n\nMore.\n\n[1]: https://a.example/b\n\nEnd.';
  const seen = await page.evaluate(async (text) => {
    const element = document.createElement('markdown-text');
    element.growing = true;
    document.body.append(element);
    const texts: string[] = [];
    for (let end = 3; end <= text.length; end += 1) {
      element.text = text.slice(0, end);
      await element.updateComplete;
      texts.push(element.shadowRoot!.textContent.replace(/\s+/g, ''));
    }
    element.growing = false;
    await element.updateComplete;
    const [link] = element.shadowRoot!.querySelectorAll('p a');
    return { texts, link: link?.outerHTML, all: element.shadowRoot!.textContent };
  }, written);
  expect(seen.link).toContain('href="https://a.example/b"');
  expect(seen.link).toContain('the <em>docs</em></a>');
  expect(seen.all).toContain('[1]: https://a.example/b');
  // The signs of Markdown go, letters do not.
  const lengths = seen.texts.map((text) => text.replace(/[^a-z]/gi, '').length);
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
});

test('a heading keeps its level in a growing answer when the address of its link arrives', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(async () => {
    await customElements.whenDefined('markdown-text');
    const growing = Object.assign(document.createElement('markdown-text'), { growing: true });
    document.body.append(growing);
    for (const text of [
      '### See [this]\n\n# Then\n\n## Now\n\nWords.\n',
      '\n[this]: https://example.org/\n\nMore.\n\nEnd.',
    ]) {
      growing.text += text;
      await growing.updateComplete;
    }
  });
  const answer = page.locator('body > markdown-text');
  await expect(answer.getByRole('link')).toHaveText(['this', 'https://example.org/']);
  await expect(answer.locator('h2')).toHaveText(['See this', 'Then']);
  await expect(answer.locator('h3')).toHaveText(['Now']);
});
