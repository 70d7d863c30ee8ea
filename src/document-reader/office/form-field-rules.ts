import { isOn } from './docx-styles.ts';
import { attributeOf, type ElementRule } from '../walk-markup.ts';

/**
 * Returns the rules of a DOCX file's older form fields: the chosen entry of a list, and boxes that are checked or not.
 * @param write Called with what a field shows.
 */
export function formFieldRules(write: (text: string) => void): Readonly<Record<string, ElementRule>> {
  let choices: { result: number; readonly entries: string[] } | null = null;
  let box: { isChecked: boolean } | null = null;
  return {
    ddList: () => {
      choices = { result: 0, entries: [] };
      return () => {
        write(choices?.entries[choices.result] ?? '');
        choices = null;
      };
    },
    result: (attributes) => void (choices && (choices.result = Number(attributeOf(attributes, 'val')) || 0)),
    listEntry: (attributes) => void choices?.entries.push(attributeOf(attributes, 'val')),
    checkBox: () => {
      box = { isChecked: false };
      return () => {
        write(box?.isChecked === true ? '☒' : '☐');
        box = null;
      };
    },
    default: (attributes) => {
      if (box !== null) box.isChecked = isOn(attributes);
      if (choices !== null) choices.result = Number(attributeOf(attributes, 'val')) || 0;
    },
    checked: (attributes) => void (box && (box.isChecked = isOn(attributes))),
  };
}
