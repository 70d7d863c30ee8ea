// How keys and values of a head are kept: a word for each number of the first half of the head and its partner, half a
// head further on, as signed 16-bit integers, the first in the lower bits. The pairs that one invocation computes
// share a scale, a float; the scales follow the words.
const HALF = HEAD_DIMENSION / 2u;
const HEAD_WORDS = HALF + SCALES;
// The greatest integer, as far up in its word as it is read.
const GREATEST_UPPER = 32767.0 * 65536.0;

// The integers are read where their scales allow for 16 more bits, since a shift would cost as much as a load.
fn lower(words: vec4u) -> vec4f { return vec4f(bitcast<vec4i>(words * 65536u)); }
fn upper(words: vec4u) -> vec4f { return vec4f(bitcast<vec4i>(words & vec4u(0xffff0000u))); }
