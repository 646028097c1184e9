/** True if one of the patterns, in which `*` matches any characters, matches the whole type. */
export function matchesAny(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => matches(pattern, type));
}

/** Without a regular expression: several `.*` may be slow, and every event is compared. */
function matches(pattern: string, type: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return type === pattern;
  if (!type.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = type.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return type.length - last.length >= at && type.endsWith(last);
}
