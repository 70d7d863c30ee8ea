import { Any, anyAt } from '../ffi/any';
import { requireArguments, textAt } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { release } from '../ffi/object';
import { registerNative } from '../ffi/registry';
import { spells } from '../ffi/string-object';
import { BYTE_ARRAY } from '../ffi/type-index';
import { CPU } from '../gpu/storage';
import { tensorAt, TensorObject } from '../gpu/tensor-object';

export function registerStorageDecoder(): void {
  registerNative('tvmjs.array.decode_storage', decode);
}

/**
 * Decodes a stored parameter into a CPU tensor: (CPU tensor, stored bytes, format, data type). WebLLM calls it only for
 * parameters that it cannot write directly into a GPU buffer. WebLLM's only packed format is bfloat16.
 */
function decode(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 4)) return;
  const found = tensorAt(args, 0);
  const bytes = anyAt(args, 1);
  if (found == 0) return;
  const tensor = changetype<TensorObject>(found);
  if (tensor.deviceType != CPU || bytes.typeIndex != BYTE_ARRAY) {
    raise('Expected a CPU tensor and bytes');
    return;
  }
  const data = load<usize>(bytes.pointer);
  const length = load<u32>(bytes.pointer, sizeof<usize>());
  const format = textAt(args, 2);
  const dataType = textAt(args, 3);
  const packed = spells(format.data, format.length, 'f32-to-bf16') && spells(dataType.data, dataType.length, 'float32');
  release(changetype<usize>(format));
  release(changetype<usize>(dataType));
  if (length != (packed ? tensor.bytes / 2 : tensor.bytes)) {
    raise('The number of stored bytes differs from the size of the tensor');
  } else if (packed) {
    for (let i: u32 = 0; i < length / 2; i++) {
      store<u32>(tensor.address + i * 4, (<u32>load<u16>(data + i * 2)) << 16);
    }
  } else {
    memory.copy(tensor.address, data, length);
  }
}
