import { raise } from './error';
import { makeString, spells, StringObject } from './string-object';

// A data type (`DLDataType`) is packed into one 32-bit word: type code (0 int, 1 uint, 2 float), bits, lanes.

const INT: u32 = 0;
const UNSIGNED: u32 = 1;
const FLOAT: u32 = 2;

export const FLOAT32: u32 = FLOAT | (32 << 8) | (1 << 16);
export const INT32: u32 = INT | (32 << 8) | (1 << 16);
export const UINT32: u32 = UNSIGNED | (32 << 8) | (1 << 16);

export function bitsOf(dataType: u32): u32 {
  return (dataType >> 8) & 0xff;
}

/** Parses a data type name such as `float32` or `uint8`. WebLLM uses only types with one lane. */
export function parseDataType(text: StringObject): u32 {
  const start = text.data;
  let letters: u32 = 0;
  while (letters < text.length && load<u8>(start + letters) > 0x39) letters++;
  let bits: u32 = 0;
  for (let i = letters; i < text.length; i++) bits = bits * 10 + load<u8>(start + i) - 0x30;
  let code = INT;
  if (spells(start, letters, 'uint')) code = UNSIGNED;
  else if (spells(start, letters, 'float')) code = FLOAT;
  else if (!spells(start, letters, 'int')) raise('Unknown data type');
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) raise('Unknown data type width');
  return code | (bits << 8) | (1 << 16);
}

export function dataTypeText(dataType: u32): StringObject {
  const code = dataType & 0xff;
  const bits = bitsOf(dataType);
  const name = code == FLOAT ? 'float' : code == UNSIGNED ? 'uint' : 'int';
  const buffer = memory.data(16);
  let length: u32 = 0;
  for (let i = 0; i < name.length; i++) store<u8>(buffer + length++, <u8>name.charCodeAt(i));
  if (bits >= 10) store<u8>(buffer + length++, <u8>(0x30 + bits / 10));
  store<u8>(buffer + length++, <u8>(0x30 + (bits % 10)));
  return makeString(buffer, length);
}
