import { begin, bindStorage, dispatch, passNumber } from '../gpu/kernel';
import {
  ATTENTION_GROUPS,
  ATTENTION_WORKGROUP,
  DOWN_DECODE_WORKGROUPS,
  DOWN_PREFILL_WORKGROUPS,
  GATE_UP_DECODE_WORKGROUPS,
  GATE_UP_PREFILL_WORKGROUPS,
  GLOBAL_HEADS,
  KERNEL_ATTENTION_DECODE,
  KERNEL_ATTENTION_PREFILL,
  KERNEL_DOWN_DECODE,
  KERNEL_DOWN_PREFILL,
  KERNEL_GATE_UP_DECODE,
  KERNEL_GATE_UP_PREFILL,
  KERNEL_OUTPUT_DECODE,
  KERNEL_OUTPUT_PREFILL,
  KERNEL_QKV_DECODE,
  KERNEL_QKV_PREFILL,
  LAYERS,
  OUTPUT_DECODE_WORKGROUPS,
  OUTPUT_PREFILL_WORKGROUPS,
  QKV_DECODE_WORKGROUPS,
  QKV_PREFILL_WORKGROUPS,
  TILE,
} from '../package-data';
import { Storage } from '../gpu/storage';
import { Activations, bindNormed, swapStreams } from './activations';
import { CacheObject } from './cache-object';
import {
  ATTENTION_NORM,
  bindMatrix,
  bindVector,
  DOWN,
  FINAL_NORM,
  GATE_UP,
  layerParameter,
  MLP_NORM,
  OUTPUT,
  QKV,
} from '../gpu/parameters';

// A layer takes only five dispatches, since the overhead of a dispatch exceeds most of its computation.

/** First part of a layer: computes queries, and writes keys and values of the new positions into the KV cache. */
export function fillCache(layer: i32, parameters: usize, cache: CacheObject, activations: Activations): void {
  const one = activations.tokens == 1;
  begin(one ? KERNEL_QKV_DECODE : KERNEL_QKV_PREFILL);
  bindNormed(activations);
  bindMatrix(parameters, layerParameter(layer, QKV));
  bindStorage(cache.rotary);
  bindStorage(cache.layer(layer));
  bindStorage(activations.queries);
  passNumber(activations.tokens);
  passNumber(activations.position);
  dispatch(one ? QKV_DECODE_WORKGROUPS : QKV_PREFILL_WORKGROUPS, tiles(activations));
}

/** Second part of a layer: adds the results of attention and feed-forward to the residual stream. */
export function finishLayer(layer: i32, parameters: usize, cache: CacheObject, activations: Activations): void {
  attend(layer, cache, activations);

  const one = activations.tokens == 1;
  begin(one ? KERNEL_OUTPUT_DECODE : KERNEL_OUTPUT_PREFILL);
  const mlpNorm = layerParameter(layer, MLP_NORM);
  project(activations.attended, parameters, layerParameter(layer, OUTPUT), mlpNorm, activations);
  dispatch(one ? OUTPUT_DECODE_WORKGROUPS : OUTPUT_PREFILL_WORKGROUPS, tiles(activations));
  swapStreams(activations);

  begin(one ? KERNEL_GATE_UP_DECODE : KERNEL_GATE_UP_PREFILL);
  bindNormed(activations);
  bindMatrix(parameters, layerParameter(layer, GATE_UP));
  bindStorage(activations.activated);
  passNumber(activations.tokens);
  dispatch(one ? GATE_UP_DECODE_WORKGROUPS : GATE_UP_PREFILL_WORKGROUPS, tiles(activations));

  begin(one ? KERNEL_DOWN_DECODE : KERNEL_DOWN_PREFILL);
  const last = layer == LAYERS - 1;
  const nextNorm = last ? FINAL_NORM : layerParameter(layer + 1, ATTENTION_NORM);
  project(activations.activated, parameters, layerParameter(layer, DOWN), nextNorm, activations);
  dispatch(one ? DOWN_DECODE_WORKGROUPS : DOWN_PREFILL_WORKGROUPS, tiles(activations));
  swapStreams(activations);
}

function attend(layer: i32, cache: CacheObject, activations: Activations): void {
  const tokens = activations.tokens;
  begin(tokens == 1 ? KERNEL_ATTENTION_DECODE : KERNEL_ATTENTION_PREFILL);
  bindStorage(activations.queries);
  bindStorage(cache.layer(layer));
  bindStorage(activations.attended);
  passNumber(tokens);
  passNumber(activations.position);
  passNumber(GLOBAL_HEADS[layer]);
  dispatch(ATTENTION_GROUPS, tokens == 1 ? 1 : (tokens + ATTENTION_WORKGROUP - 1) / ATTENTION_WORKGROUP);
}

/** Binds the inputs of a matrix product that is added to the residual stream, and the gain of the norm after it. */
function project(values: Storage, parameters: usize, matrix: i32, nextNorm: i32, activations: Activations): void {
  bindStorage(values);
  bindMatrix(parameters, matrix);
  bindStorage(activations.stream);
  bindVector(parameters, nextNorm);
  bindStorage(activations.nextStream);
  bindNormed(activations);
  passNumber(activations.tokens);
}

function tiles(activations: Activations): i32 {
  return activations.tokens == 1 ? 1 : (activations.tokens + TILE - 1) / TILE;
}
