import { Any } from '../ffi/any';
import { objectAt } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { allocateObject, ObjectHeader } from '../ffi/object';
import { TENSOR } from '../ffi/type-index';
import { bitsOf } from '../ffi/data-type';
import { CPU, makeStorage, releaseStorage, retainStorage, Storage, WEBGPU } from './storage';

/** A tensor object: the object header, then a `DLTensor` that JavaScript reads, then private fields of this library. */
@unmanaged
export class TensorObject extends ObjectHeader {
  data: usize;
  deviceType: i32;
  deviceId: i32;
  dimensions: i32;
  dataType: u32;
  shape: usize;
  /** Always null, which means that the tensor is contiguous. */
  private strides: usize;
  byteOffset: u64;
  storage: Storage;

  size(dimension: i32): i64 {
    return load<i64>(this.shape + ((<usize>dimension) << 3));
  }
  setSize(dimension: i32, size: i64): void {
    store<i64>(this.shape + ((<usize>dimension) << 3), size);
  }

  get elements(): i64 {
    let product: i64 = 1;
    for (let i = 0; i < this.dimensions; i++) product *= this.size(i);
    return product;
  }

  get bytes(): u32 {
    return <u32>((this.elements * bitsOf(this.dataType) + 7) >> 3);
  }

  /** Address of the first element of a CPU tensor. */
  get address(): usize {
    return this.data + <usize>this.byteOffset;
  }
}

/** Makes a tensor without storage. The caller sets the dimensions, then calls `allocateFor` or `viewOf`. */
export function makeTensorHeader(dimensions: i32, dataType: u32): TensorObject {
  const size = (offsetof<TensorObject>() + 7) & ~7;
  const object = allocateObject(size + ((<usize>dimensions) << 3), TENSOR, destroyTensor);
  const tensor = changetype<TensorObject>(object);
  tensor.dimensions = dimensions;
  tensor.dataType = dataType;
  tensor.shape = object + size;
  return tensor;
}

export function allocateFor(tensor: TensorObject, deviceType: i32): TensorObject {
  return attach(tensor, makeStorage(deviceType, tensor.bytes), 0);
}

export function viewOf(tensor: TensorObject, storage: Storage, byteOffset: u64): TensorObject {
  return attach(tensor, retainStorage(storage), byteOffset);
}

export function makeGpuTensor1(dataType: u32, first: i64): TensorObject {
  const tensor = makeTensorHeader(1, dataType);
  tensor.setSize(0, first);
  return allocateFor(tensor, WEBGPU);
}

export function makeGpuTensor2(dataType: u32, first: i64, second: i64): TensorObject {
  const tensor = makeTensorHeader(2, dataType);
  tensor.setSize(0, first);
  tensor.setSize(1, second);
  return allocateFor(tensor, WEBGPU);
}

export function makeGpuTensor3(dataType: u32, first: i64, second: i64, third: i64): TensorObject {
  const tensor = makeTensorHeader(3, dataType);
  tensor.setSize(0, first);
  tensor.setSize(1, second);
  tensor.setSize(2, third);
  return allocateFor(tensor, WEBGPU);
}

/** Returns a tensor argument, borrowed. Records an error and returns 0 if it has another type. */
export function tensorAt(args: Any, index: i32): usize {
  return objectAt(args, index, TENSOR);
}

/**
 * Returns a GPU tensor argument that kernels can bind, borrowed. Records an error and returns 0 unless the tensor has
 * this data type and starts at offset 0 of its buffer.
 */
export function kernelTensorAt(args: Any, index: i32, dataType: u32): usize {
  const found = tensorAt(args, index);
  if (found == 0) return 0;
  const tensor = changetype<TensorObject>(found);
  if (tensor.deviceType != WEBGPU) raise(`Argument ${index} must be a tensor on the GPU`);
  else if (tensor.byteOffset != 0) raise(`Argument ${index} must begin at its buffer's start`);
  else if (tensor.dataType != dataType) raise(`Argument ${index} has the wrong data type`);
  else return found;
  return 0;
}

/**
 * Returns the pointer to an argument that is a CPU tensor of this data type; the caller must not release it. Records an
 * error and returns 0 for other arguments.
 */
export function cpuTensorAt(args: Any, index: i32, dataType: u32): usize {
  const found = tensorAt(args, index);
  if (found == 0) return 0;
  const tensor = changetype<TensorObject>(found);
  if (tensor.deviceType != CPU) raise(`Argument ${index} must be a tensor in CPU memory`);
  else if (tensor.dataType != dataType) raise(`Argument ${index} has the wrong data type`);
  else return found;
  return 0;
}

function attach(tensor: TensorObject, storage: Storage, byteOffset: u64): TensorObject {
  tensor.storage = storage;
  tensor.data = storage.data;
  tensor.deviceType = storage.deviceType;
  tensor.byteOffset = byteOffset;
  return tensor;
}

function destroyTensor(object: usize): void {
  releaseStorage(changetype<TensorObject>(object).storage);
  heap.free(object);
}
