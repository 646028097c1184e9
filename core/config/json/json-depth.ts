/**
 * The maximum nesting of objects and lists in bodies and files. The code that reads a value recurses. Real
 * representations are far below this depth: nested groups, the deepest ones, take two levels each.
 */
export const JSON_DEPTH_LIMIT = 200;

/**
 * Returns the offset of the bracket that exceeds the limit. Scans the text without recursion, before any recursive
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
