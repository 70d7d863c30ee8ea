import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPILED_IN } from '../../../scripts/build/compiled-in.ts';
import { noticesText } from '../../../scripts/build/third-party-notices.ts';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';

test('the notices contain the licences of packages that no bundler sees', () => {
  const text = noticesText('package', []);
  expect(text).toMatch(/^## loglevel \d/m);
  expect(text).toContain('Copyright (c) 2013 Tim Perry');
  expect(text).toMatch(/^## assemblyscript \d/m);
});

test('the notices of a site begin with its own licence', () => {
  expect(noticesText('site', [])).toMatch(/^# Licence of this site\n\n```\n\s*Apache License/);
});

/** Names of functions, types or source files by which a project is recognised in the WebAssembly of llama.cpp. */
const TRACES: Readonly<Record<string, string>> = {
  'llama.cpp': 'llama.cpp/src/llama.cpp',
  ggml: 'llama.cpp/ggml/src',
  'nlohmann/json': 'vendor/nlohmann/json.hpp',
  stb_image: 'stbi__jpeg_decode_block',
  miniaudio: 'ma_dr_wav_read_pcm_frames',
  'sha256.c': 'sha256_write_byte_block',
  Dawn: 'emwgpuDelete',
  Emscripten: '_emscripten_thread_cleanup',
  musl: '__stdio_write',
  'LLVM libc++ and libc++abi': 'system/lib/libcxxabi/src',
};

/** Names by which other libraries that llama.cpp's repository contains would be recognised. */
const ABSENT = ['httplib', 'sheredom', 'subprocess', 'minja', 'linenoise', 'XXH64', 'tinyBLAS', 'stb_vorbis', 'curl_'];

const PROGRAMS = ['wllama/esm/wasm', 'wllama-compat/wasm'].map((folder) =>
  readFileSync(join(PROJECT_FOLDER, 'node_modules/@wllama', folder, 'wllama.wasm')),
);

test.each(COMPILED_IN['@wllama/wllama-compat']!)('$name is in both programs of llama.cpp, and named', (part) => {
  for (const program of PROGRAMS) expect(program.includes(TRACES[part.name]!)).toBe(true);
  for (const line of part.copyright)
    expect(noticesText('site', [])).toContain(`- ${part.name}: ${part.identifier}. ${line}`);
});

test.each(ABSENT)('%s is in no program of llama.cpp', (name) => {
  for (const program of PROGRAMS) expect(program.includes(name)).toBe(false);
});

test('conditions that a compiled copy has to repeat are in the notices', () => {
  expect(noticesText('package', [])).toContain('Redistributions in binary form must reproduce');
});
