import { isObject } from '../../model/is-object.js';
/** The attribute of a realm or client that names levels of authentication. */
export const LEVEL_NAMES = 'acr.loa.map';

/** Describes the mistake in the attribute's text; undefined if it is valid, or empty. */
export function levelNamesProblem(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    const map: unknown = JSON.parse(text);
    const isLevel = (level: unknown) => /^\d{1,9}$/.test(String(level));
    if (isObject(map) && Object.values(map).every(isLevel)) {
      return undefined;
    }
  } catch {
    // Reported below.
  }
  return 'must be a JSON object of whole numbers as a string, such as {"gold": 2}';
}
