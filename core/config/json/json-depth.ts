/**
 * The maximum nesting of objects and lists in request bodies and files, since the code that reads values is recursive.
 * Real representations are far below it: the deepest ones contain nested groups, which take two levels each.
 */
export const JSON_DEPTH_LIMIT = 200;

/**
 * Returns the offset of the bracket that exceeds the limit. It is not recursive, so it can run before any recursive
 * reader.
 */
export function findTooDeep(text: string): number | undefined {
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
