import type { DeviceSpeed, MeasureRequest } from './device-speed.ts';
import { measureGraphics } from './measure-graphics.ts';
import { measureProcessor } from './measure-processor.ts';

addEventListener('message', ({ data }: MessageEvent<MeasureRequest>) => {
  const weightsPerSecond = measureProcessor();
  void (data.graphics ? measureGraphics() : Promise.resolve(null)).then((graphics) =>
    postMessage({ weightsPerSecond, graphics } satisfies DeviceSpeed),
  );
});
