import { begin, bindStorage, bindTensor, dispatch, passNumber } from '../gpu/kernel';
import { makeRotaryTable } from '../gpu/rotary-table';
import {
  ATTENTION_TILE,
  ATTENTION_WORKGROUP,
  CONTEXT,
  GATE_UP_WORKGROUPS,
  HEADS,
  KERNEL_ATTENTION,
  KERNEL_GATE_UP,
  KERNEL_OUTPUT,
  OUTPUT_WORKGROUPS,
  TILE,
} from '../package-data';
import { Storage } from '../gpu/storage';
import { TensorObject } from '../gpu/tensor-object';
import { Activations, bindNormed, swapStreams } from './activations';
import { projectTokens } from './token-projections';
import { bindMatrix, bindVector, GATE_UP, layerParameter, MLP_NORM, OUTPUT } from '../gpu/parameters';

let rotary: usize = 0;

/**
 * Runs the model's only layer: attention between all tokens of a text, then the feed-forward part without its last
 * matrix product. The input of that product is left in `activated`; the pooling kernel computes it.
 */
export function runLayer(tokens: TensorObject, mask: TensorObject, parameters: usize, activations: Activations): void {
  // The table is made at first use, since the GPU is not available when the library starts.
  if (rotary == 0) rotary = changetype<usize>(makeRotaryTable(CONTEXT));
  const tiles = (activations.tokens + TILE - 1) / TILE;
  projectTokens(tokens, changetype<Storage>(rotary), parameters, activations);
  attend(mask, activations);

  begin(KERNEL_OUTPUT);
  bindStorage(activations.attended);
  bindMatrix(parameters, layerParameter(0, OUTPUT));
  bindStorage(activations.stream);
  bindVector(parameters, layerParameter(0, MLP_NORM));
  bindStorage(activations.nextStream);
  bindNormed(activations);
  passNumber(activations.tokens);
  dispatch(OUTPUT_WORKGROUPS, tiles);
  swapStreams(activations);

  begin(KERNEL_GATE_UP);
  bindNormed(activations);
  bindMatrix(parameters, layerParameter(0, GATE_UP));
  bindStorage(activations.activated);
  passNumber(activations.tokens);
  dispatch(GATE_UP_WORKGROUPS, tiles);
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
