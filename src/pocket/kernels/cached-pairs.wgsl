// How the cache holds a position: for each key-value head a record of keys, values and scales. A word is a number of the
// first half of the head and its partner half a head further on, as signed 16-bit integers, the first in the lower bits.
// The pairs that one invocation computes, one of PARTS, share a scale, a float: first those of the keys, then those of the
// values.
override CONTEXT: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;
override PARTS: u32;
override RECORD_BLOCKS: u32;

const HALF = HEAD_DIMENSION / 2u;
const RECORDS = CONTEXT * KEY_VALUE_HEADS;
// What the greatest integer of a part is read as: with 16 zeros below it, since a shift would cost as much as a load.
const GREATEST_INTEGER = 32767.0 * 65536.0;
