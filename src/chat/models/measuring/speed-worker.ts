import { measureGraphics, type GraphicsSpeed } from './measure-graphics.ts';
import { measureProcessor } from './measure-processor.ts';

/** The result of measuring this device. */
export interface DeviceSpeed {
  /** Weights that one CPU thread multiplies per second. */
  readonly weightsPerSecond: number;
  /** Null if there is no GPU, or its measurement failed. */
  readonly graphics: GraphicsSpeed | null;
}

export interface MeasureRequest {
  /** Whether the GPU is measured, too. */
  readonly graphics: boolean;
}

addEventListener('message', ({ data }: MessageEvent<MeasureRequest>) => {
  const weightsPerSecond = measureProcessor();
  void (data.graphics ? measureGraphics() : Promise.resolve(null)).then((graphics) =>
    postMessage({ weightsPerSecond, graphics } satisfies DeviceSpeed),
  );
});
