import type { Notice } from './third-party-notices.ts';

/** A project that a published package contains in compiled form. */
export interface CompiledPart extends Pick<Notice, 'name' | 'identifier' | 'text'> {
  /** Copyright lines of the project; none if its authors have given up their rights. */
  readonly copyright: readonly string[];
}

const EMSCRIPTEN: readonly CompiledPart[] = [
  {
    name: 'Emscripten',
    identifier: 'MIT OR NCSA',
    copyright: ['Copyright (c) 2010-2014 Emscripten authors'],
  },
  { name: 'musl', identifier: 'MIT', copyright: ['Copyright (c) 2005-2020 Rich Felker, et al.'] },
];

/** Conditions of the BSD-3-Clause licence, which a copy in compiled form has to repeat. */
const BSD_3_CLAUSE = `Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its
   contributors may be used to endorse or promote products derived from
   this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

/** Projects in both programs of llama.cpp: they are compiled from the same sources. */
const LLAMA_CPP: readonly CompiledPart[] = [
  { name: 'llama.cpp', identifier: 'MIT', copyright: ['Copyright (c) 2023-2026 The ggml authors'] },
  { name: 'ggml', identifier: 'MIT', copyright: ['Copyright (c) 2023-2026 The ggml authors'] },
  { name: 'nlohmann/json', identifier: 'MIT', copyright: ['Copyright (c) 2013-2025 Niels Lohmann'] },
  { name: 'stb_image', identifier: 'MIT OR Unlicense', copyright: ['Copyright (c) 2017 Sean Barrett'] },
  { name: 'miniaudio', identifier: 'Unlicense OR MIT-0', copyright: ['Copyright 2025 David Reid'] },
  { name: 'sha256.c', identifier: 'LicenseRef-public-domain', copyright: [] },
  {
    name: 'Dawn',
    identifier: 'BSD-3-Clause',
    copyright: ['Copyright 2024 The Dawn & Tint Authors'],
    text: BSD_3_CLAUSE,
  },
  ...EMSCRIPTEN,
  { name: 'LLVM libc++ and libc++abi', identifier: 'Apache-2.0 WITH LLVM-exception', copyright: [] },
];

/**
 * Projects that published packages contain in compiled form, by the package. Of the WebAssembly of wllama 3.13.0 they
 * were found by the names of its functions, its types and its source files. Their versions are not published with it.
 */
export const COMPILED_IN: Readonly<Record<string, readonly CompiledPart[]>> = {
  '@mlc-ai/web-llm': [
    { name: 'Apache TVM', identifier: 'Apache-2.0', copyright: [] },
    { name: 'tokenizers-cpp', identifier: 'Apache-2.0', copyright: [] },
    { name: 'XGrammar', identifier: 'Apache-2.0', copyright: [] },
    ...EMSCRIPTEN,
  ],
  '@wllama/wllama': LLAMA_CPP,
  '@wllama/wllama-compat': LLAMA_CPP,
  '@jitl/quickjs-wasmfile-release-sync': [
    {
      name: 'QuickJS',
      identifier: 'MIT',
      copyright: ['Copyright (c) 2017-2021 Fabrice Bellard', 'Copyright (c) 2017-2021 Charlie Gordon'],
    },
    ...EMSCRIPTEN,
  ],
};
