import { expect, test } from 'vitest';
import { parseGgufAddress } from '../../../../src/engine-worker/models/gguf/parse-gguf-address.ts';

const HUB = 'https://huggingface.co/';

const anyOf = (quantization: string | null = null, revision = 'main') => ({
  kind: 'repository',
  repository: 'some-one/Small-1.5B-GGUF',
  revision,
  quantization,
});
const file = (path = 'Small-Q8_0.gguf', revision = 'main') => ({
  kind: 'file',
  address: `${HUB}some-one/Small-1.5B-GGUF/resolve/${revision}/${path}`,
});

/** What is copied from pages and terminals. `R` stands for the repository. */
const COPIED: readonly (readonly [text: string, named: object])[] = [
  ['R', anyOf()],
  ['R/', anyOf()],
  ['  R\n', anyOf()],
  ['R:Q4_K_M', anyOf('Q4_K_M')],
  ['R:latest', anyOf()],
  ['R:', anyOf()],
  ['R:Q8_0/', anyOf('Q8_0')],
  ['R:Small-Q8_0.gguf', anyOf('Small-Q8_0')],
  ['R/Small-Q8_0.gguf', file()],
  ['R/sub/Small Q8_0.gguf'.replace(' ', '-'), file('sub/Small-Q8_0.gguf')],
  ['hf:R', anyOf()],
  ['hf:R:Q4_K_M', anyOf('Q4_K_M')],
  ['hf://R', anyOf()],
  ['huggingface:R', anyOf()],
  ['hf.co/R', anyOf()],
  ['hf.co/R:Q4_K_M', anyOf('Q4_K_M')],
  ['HF.co/R:q4_k_m', anyOf('q4_k_m')],
  ['huggingface.co/R', anyOf()],
  ['www.huggingface.co/R/', anyOf()],
  ['http://huggingface.co/R', anyOf()],
  ['https://hf.co/R:UD-Q4_K_XL', anyOf('UD-Q4_K_XL')],
  [`${HUB}R`, anyOf()],
  [`${HUB}R//`, anyOf()],
  [`${HUB}R.git`, anyOf()],
  [`${HUB}R#quickstart`, anyOf()],
  [`${HUB}R?library=llama-cpp-python`, anyOf()],
  [`${HUB}R/tree/main`, anyOf()],
  [`${HUB}R/tree/main/`, anyOf()],
  [`${HUB}R/tree/v2`, anyOf(null, 'v2')],
  [`${HUB}R/tree/main/Q4_K_M`, anyOf('Q4_K_M')],
  [`${HUB}R/blob/main/README.md`, anyOf()],
  [`${HUB}R/discussions/3`, anyOf()],
  [`${HUB}api/models/R`, anyOf()],
  [`${HUB}R?show_file_info=Small-Q8_0.gguf`, file()],
  [`${HUB}R/tree/main?show_file_info=Q8%2FSmall-Q8_0.gguf`, file('Q8/Small-Q8_0.gguf')],
  [`${HUB}R?local-app=ollama&show_file_info=Small-00001-of-00003.gguf`, file('Small-00001-of-00003.gguf')],
  [`${HUB}R/blob/main/Small-Q8_0.gguf`, file()],
  [`${HUB}R/raw/main/Small-Q8_0.gguf`, file()],
  [`${HUB}R/blob/v2/sub/Small-Q8_0.gguf?download=true`, file('sub/Small-Q8_0.gguf', 'v2')],
  [`${HUB}R/resolve/main/Small-Q8_0.gguf?download=true`, file()],
  ['hf.co/R/resolve/main/Small%20Q8_0.gguf', file('Small%20Q8_0.gguf')],
  ['"hf.co/R:Q4_K_M"', anyOf('Q4_K_M')],
  ['（https://huggingface.co/R）', anyOf()],
  ['看 https://huggingface.co/R。', anyOf()],
  ['「https://hf.co/R:Q4_K_M」、', anyOf('Q4_K_M')],
  ['https://huggingface.co/R!', anyOf()],
  ['https://huggingface.co/R/resolve/main/Small-Q8_0.gguf。', file()],
  ['`R:Q4_K_M`', anyOf('Q4_K_M')],
  ['„R“', anyOf()],
  [`<${HUB}R>`, anyOf()],
  [`(${HUB}R).`, anyOf()],
  [`[Small 1.5B](${HUB}R)`, anyOf()],
  [`[Small](<${HUB}R/tree/main> "the model"), quantized`, anyOf()],
  [`See ${HUB}R.`, anyOf()],
  ['ollama run hf.co/R:Q4_K_M', anyOf('Q4_K_M')],
  ['$ ollama pull hf.co/R', anyOf()],
  ['llama-server -hf R:Q8_0', anyOf('Q8_0')],
  ['llama serve -hf R', anyOf()],
  ['./build/bin/llama-cli --hf-repo R --hf-file Small-Q8_0.gguf -p "The meaning of a/b"', file()],
  ['llama-cli --hf-repo=R -c 4096', anyOf()],
  ['docker model run hf.co/R:Q4_K_M', anyOf('Q4_K_M')],
  ['huggingface-cli download R Small-Q8_0.gguf --local-dir .', file()],
  ['hf download R --include "*Q4_K_M*" --local-dir x/y', anyOf('Q4_K_M')],
  ['hf download R --include "*Q4_K_M.gguf"', anyOf('Q4_K_M')],
  [`git clone ${HUB}R`, anyOf()],
  [`wget ${HUB}R/resolve/main/Small-Q8_0.gguf`, file()],
  ['curl -L -o x.gguf https://models.test/x.gguf?a=1', { kind: 'file', address: 'https://models.test/x.gguf?a=1' }],
  ['```sh\n# Start a server:\nllama-server -hf R:Q8_0\n```', anyOf('Q8_0')],
  ['brew install llama.cpp\nllama serve -hf R', anyOf()],
  ['llm = Llama.from_pretrained(\n\trepo_id="R",\n\tfilename="Small-Q8_0.gguf",\n)', file()],
  ["Llama.from_pretrained(repo_id='R', filename='*Q8_0.gguf')", anyOf('Q8_0')],
  ['R Q8_0', anyOf('Q8_0')],
  ['lms get R@q4_k_m', anyOf('q4_k_m')],
  [`**${HUB}R**`, anyOf()],
  ['\u200Bhf.co/R\u00A0', anyOf()],
  [`![picture](y.png) [Small]( ${HUB}R )`, anyOf()],
  [`<a href="${HUB}R">Small</a>`, anyOf()],
  ['ollama://hf.co/R', anyOf()],
  ['FROM hf.co/R:Q8_0', anyOf('Q8_0')],
  ['.\\llama-server.exe -hf R', anyOf()],
  ['LLAMA_ARG_CTX_SIZE=0 llama-server -hf R', anyOf()],
  ['docker run -v /a/b:/c ghcr.io/ggml-org/llama.cpp:server -hf R:Q4_0', anyOf('Q4_0')],
  ['huggingface-cli download --local-dir some/folder R', anyOf()],
  ['huggingface-cli download R --include=*Q8_0*', anyOf('Q8_0')],
  [`${HUB}R/resolve/main/Small 1.5B Q8_0.gguf`, file('Small%201.5B%20Q8_0.gguf')],
  ['https://models.test/x.gguf#c', { kind: 'file', address: 'https://models.test/x.gguf' }],
  ['<https://models.test/my model.gguf>', { kind: 'file', address: 'https://models.test/my%20model.gguf' }],
];

test.each(COPIED)('%j names its model', (text, named) => {
  expect(parseGgufAddress(text.replaceAll('R', (letter, at: number) => nameAt(text, letter, at)))).toEqual(named);
});

/** Replaces the letter that stands for the repository, and no letter of a word such as README. */
function nameAt(text: string, letter: string, at: number): string {
  return /\w/.test(text[at + 1] ?? '') || /\w/.test(text[at - 1] ?? '') ? letter : 'some-one/Small-1.5B-GGUF';
}

test.each([
  '',
  ' \n',
  'small',
  'x.gguf',
  'models/x.gguf',
  '/home/me/x.gguf',
  'C:\\models\\x.gguf',
  'ftp://x.test/x.gguf',
  'file:///x.gguf',
  'javascript:alert(1)',
  'hf:someone',
  'https://huggingface.co/',
  'https://huggingface.co/someone',
  'https://huggingface.co/datasets/someone/small',
  'https://huggingface.co/spaces/someone/small',
  'a model of some kind',
  'ollama run llama3',
  'llama-server -m ./models/x.gguf',
])('%j names no model', (text) => {
  expect(parseGgufAddress(text)).toBeNull();
});
