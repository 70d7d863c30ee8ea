import { Any, anyAt } from '../ffi/any';
import { integerAt, objectAt, requireArguments, textAt } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { release } from '../ffi/object';
import { registerNative } from '../ffi/registry';
import { ShapeObject } from '../ffi/shape-object';
import { makeByteString } from '../ffi/string-object';
import { BYTES, BYTE_ARRAY, DEVICE, SHAPE, TENSOR } from '../ffi/type-index';
import { copyBetweenBuffers, copyFromBuffer, copyToBuffer } from '../gpu/device';
import { parseDataType } from '../ffi/data-type';
import { CPU, WEBGPU } from '../gpu/storage';
import { allocateFor, makeTensorHeader, tensorAt, TensorObject, viewOf } from '../gpu/tensor-object';

export function registerTensorFunctions(): void {
  registerNative('runtime.TVMTensorAllocWithScope', allocate);
  registerNative('runtime.TVMTensorCreateView', createView);
  registerNative('runtime.TVMTensorCopyFromTo', copyFromTo);
  registerNative('tvmjs.runtime.TensorCopyFromBytes', copyFromBytes);
  registerNative('tvmjs.runtime.TensorCopyToBytes', copyToBytes);
  registerNative('tvmjs.runtime.ConcatEmbeddings', concatenate);
}

/** Allocates a tensor: (shape, data type, device, memory scope) → tensor */
function allocate(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const tensor = tensorOfShape(args, 0, 1);
  if (tensor == 0) return;
  const device = anyAt(args, 2);
  const deviceType = device.typeIndex == DEVICE ? load<i32>(device.contentAddress) : 0;
  if (deviceType != CPU && deviceType != WEBGPU) {
    raise('Tensors live on the CPU or on WebGPU');
    heap.free(tensor);
    return;
  }
  allocateFor(changetype<TensorObject>(tensor), deviceType);
  result.setObject(TENSOR, tensor);
}

/** Makes a view that shares the tensor's storage: (tensor, shape, data type, relative byte offset) → tensor */
function createView(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 4)) return;
  const found = tensorAt(args, 0);
  const made = tensorOfShape(args, 1, 2);
  if (found == 0 || made == 0) return;
  const whole = changetype<TensorObject>(found);
  const view = changetype<TensorObject>(made);
  const offset = whole.byteOffset + <u64>integerAt(args, 3);
  if (offset + view.bytes > whole.storage.bytes) {
    raise('A view must lie within its tensor');
    heap.free(made);
    return;
  }
  result.setObject(TENSOR, changetype<usize>(viewOf(view, whole.storage, offset)));
}

/** Copies a tensor between any combination of CPU and GPU: (from, to) */
function copyFromTo(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const source = tensorAt(args, 0);
  const target = tensorAt(args, 1);
  if (source == 0 || target == 0) return;
  const from = changetype<TensorObject>(source);
  const to = changetype<TensorObject>(target);
  const bytes = from.bytes;
  if (bytes != to.bytes) {
    raise(`Cannot copy ${bytes} bytes into a tensor of ${to.bytes}`);
    return;
  }
  if (from.deviceType == CPU && to.deviceType == CPU) {
    memory.copy(to.address, from.address, bytes);
  } else if (from.deviceType == CPU) {
    copyToBuffer(from.address, <i32>to.data, to.byteOffset, bytes);
  } else if (to.deviceType == CPU) {
    copyFromBuffer(<i32>from.data, from.byteOffset, to.address, bytes);
  } else if (bytes != 0) {
    copyBetweenBuffers(<i32>from.data, from.byteOffset, <i32>to.data, to.byteOffset, bytes);
  }
}

/** Copies bytes into a tensor: (CPU tensor, bytes) */
function copyFromBytes(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const found = tensorAt(args, 0);
  if (found == 0) return;
  const tensor = changetype<TensorObject>(found);
  const bytes = anyAt(args, 1);
  if (bytes.typeIndex != BYTE_ARRAY || tensor.deviceType != CPU) {
    raise('Expected a CPU tensor and bytes');
  } else if (load<u32>(bytes.pointer, sizeof<usize>()) != tensor.bytes) {
    raise('The number of bytes differs from the size of the tensor');
  } else {
    memory.copy(tensor.address, load<usize>(bytes.pointer), tensor.bytes);
  }
}

/** Copies the bytes of a tensor: (CPU tensor) → bytes */
function copyToBytes(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const found = tensorAt(args, 0);
  if (found == 0) return;
  const tensor = changetype<TensorObject>(found);
  if (tensor.deviceType != CPU) {
    raise('Only CPU tensors can be read directly');
    return;
  }
  const bytes = makeByteString(tensor.address, tensor.bytes);
  result.setObject(BYTES, changetype<usize>(bytes));
}

/** Concatenates embeddings: (tensors [rows, width]…) → one tensor with all their rows */
function concatenate(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  let rows: i64 = 0;
  for (let i = 0; i < count; i++) {
    const part = tensorAt(args, i);
    if (part == 0) return;
    rows += changetype<TensorObject>(part).size(0);
  }
  const first = changetype<TensorObject>(tensorAt(args, 0));
  const whole = makeTensorHeader(2, first.dataType);
  whole.setSize(0, rows);
  whole.setSize(1, first.size(1));
  allocateFor(whole, first.deviceType);
  let offset: u64 = 0;
  for (let i = 0; i < count; i++) {
    const part = changetype<TensorObject>(tensorAt(args, i));
    if (part.deviceType == WEBGPU) {
      const target = <i32>whole.data;
      copyBetweenBuffers(<i32>part.data, part.byteOffset, target, offset, part.bytes);
    } else {
      memory.copy(whole.address + <usize>offset, part.address, part.bytes);
    }
    offset += part.bytes;
  }
  result.setObject(TENSOR, changetype<usize>(whole));
}

/**
 * Makes a tensor without storage from a shape argument and a data type argument. Records an error and returns 0 if they
 * are invalid.
 */
function tensorOfShape(args: Any, shapeIndex: i32, typeIndex: i32): usize {
  const found = objectAt(args, shapeIndex, SHAPE);
  if (found == 0) return 0;
  const shape = changetype<ShapeObject>(found);
  const name = textAt(args, typeIndex);
  const tensor = makeTensorHeader(shape.length, parseDataType(name));
  release(changetype<usize>(name));
  for (let i = 0; i < <i32>shape.length; i++) tensor.setSize(i, shape.at(i));
  return changetype<usize>(tensor);
}
