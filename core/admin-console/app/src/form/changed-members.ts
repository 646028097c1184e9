type Members = Readonly<Record<string, unknown>>;

/** The members that differ, for a request: `null` for a removed one. Unchanged members are not sent. */
export function changedMembers(before: Members, after: Members): Members {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...names]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => [name, after[name] ?? null]);
  return Object.fromEntries(changes);
}
