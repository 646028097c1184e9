/**
 * Objects and lists within each other, in what is read from outside: bodies and files. What reads a value recurses, and no
 * real representation comes near; groups below groups, the deepest there is, take two of these a level.
 */
export const JSON_DEPTH_LIMIT = 200;

/** Where a JSON text goes deeper than the limit: the offset of the bracket. Works before anything recurses. */
export function tooDeep(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text[offset];
    if (inString) {
      if (character === '\\') offset += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > JSON_DEPTH_LIMIT) return offset;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return undefined;
}
