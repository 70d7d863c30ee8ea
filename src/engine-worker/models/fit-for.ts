import type { CodedText } from '../../shared/coded-sentence.ts';
import type { DeviceFit } from '../../shared/models/model-management.ts';
import { joinTexts } from '../strings/say.ts';

/** Returns the verdict on a model with its reasons. */
export function fitFor(verdict: DeviceFit['verdict'], reasons: readonly CodedText[]): DeviceFit {
  const { sentences } = joinTexts(...reasons);
  return { verdict, reasons: reasons.map(({ text }) => text), ...(sentences.length > 0 && { sentences }) };
}
