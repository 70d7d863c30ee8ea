// KV cache layout: per position and key-value head, a record of keys, values and scales. A word packs a component of
// the first half of the head (lower 16 bits) and its partner half a head further on, as signed integers. A head has
// PARTS parts, each written by one invocation with one float scale; the keys' scales precede those of the values.
override CONTEXT: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;
override PARTS: u32;
override RECORD_BLOCKS: u32;

const HALF = HEAD_DIMENSION / 2u;
const RECORDS = CONTEXT * KEY_VALUE_HEADS;
// Unpacked value of the greatest integer. Unpacked integers stay shifted left by 16 bits, since shifting them back
// would cost as much as a load.
const GREATEST_INTEGER = 32767.0 * 65536.0;
