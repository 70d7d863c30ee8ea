import { begin, bindStorage, bindTensor, dispatch, passNumber } from '../gpu/kernel';
import { makeRotaryTable } from '../gpu/rotary-table';
import {
  ATTENTION_TILE, ATTENTION_WORKGROUP, CONTEXT, DOWN_WORKGROUPS, GATE_UP_WORKGROUPS, HEADS,
  KERNEL_ATTENTION, KERNEL_DOWN, KERNEL_GATE_UP, KERNEL_OUTPUT, KERNEL_QKV, LAYERS, OUTPUT_WORKGROUPS,
  QKV_WORKGROUPS, TILE,
} from '../package-data';
import { Storage } from '../runtime/storage';
import { TensorObject } from '../runtime/tensor-object';
import { Activations, bindNormed, swapStreams } from './activations';
import { projectTokens } from './token-projections';
import {
  ATTENTION_NORM, bindMatrix, bindVector, DOWN, GATE_UP, layerParameter, MLP_NORM, OUTPUT, QKV,
} from '../gpu/parameters';

let rotary: usize = 0;

/**
 * Attention between all tokens of a text, then the feed-forward part, onto the residual stream. What the last layer's
 * feed-forward part is to be projected down from stays in `activated`, for the pooling.
 */
export function runLayer(
  layer: i32, tokens: TensorObject, mask: TensorObject, parameters: usize, activations: Activations,
): void {
  // Made at first use: there is no GPU yet when the library starts.
  if (rotary == 0) rotary = changetype<usize>(makeRotaryTable(CONTEXT));
  const tiles = (activations.tokens + TILE - 1) / TILE;
  if (layer == 0) projectTokens(tokens, changetype<Storage>(rotary), parameters, activations);
  else projectStream(layer, parameters, activations);
  attend(mask, activations);

  begin(KERNEL_OUTPUT);
  const mlpNorm = layerParameter(layer, MLP_NORM);
  project(activations.attended, parameters, layerParameter(layer, OUTPUT), mlpNorm, activations);
  dispatch(OUTPUT_WORKGROUPS, tiles);
  swapStreams(activations);

  begin(KERNEL_GATE_UP);
  bindNormed(activations);
  bindMatrix(parameters, layerParameter(layer, GATE_UP));
  bindStorage(activations.activated);
  passNumber(activations.tokens);
  dispatch(GATE_UP_WORKGROUPS, tiles);

  if (layer + 1 == LAYERS) return;
  begin(KERNEL_DOWN);
  const nextNorm = layerParameter(layer + 1, ATTENTION_NORM);
  project(activations.activated, parameters, layerParameter(layer, DOWN), nextNorm, activations);
  dispatch(DOWN_WORKGROUPS, tiles);
  swapStreams(activations);
}

/** Queries, keys and values of what the layer before has left. */
function projectStream(layer: i32, parameters: usize, activations: Activations): void {
  begin(KERNEL_QKV);
  bindNormed(activations);
  bindMatrix(parameters, layerParameter(layer, QKV));
  bindStorage(changetype<Storage>(rotary));
  bindStorage(activations.projected);
  passNumber(activations.tokens);
  passNumber(activations.length);
  dispatch(QKV_WORKGROUPS, (activations.tokens + TILE - 1) / TILE);
}

function attend(mask: TensorObject, activations: Activations): void {
  begin(KERNEL_ATTENTION);
  bindStorage(activations.projected);
  bindTensor(mask);
  bindStorage(activations.attended);
  passNumber(activations.length);
  passNumber(activations.firstToken);
  const invocations = HEADS * ((activations.length + ATTENTION_TILE - 1) / ATTENTION_TILE);
  dispatch((invocations + ATTENTION_WORKGROUP - 1) / ATTENTION_WORKGROUP, activations.texts);
}

/** Binds a projection onto the residual stream and the gain of the norm that follows it. */
function project(
  values: Storage, parameters: usize, matrix: i32, nextNorm: i32, activations: Activations,
): void {
  bindStorage(values);
  bindMatrix(parameters, matrix);
  bindStorage(activations.stream);
  bindVector(parameters, nextNorm);
  bindStorage(activations.nextStream);
  bindNormed(activations);
  passNumber(activations.tokens);
}
