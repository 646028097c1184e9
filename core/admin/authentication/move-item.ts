/**
 * Swaps an item's position and priority with its neighbour's. At the end of the list nothing happens, as in Keycloak.
 */
export function moveItem<T extends { priority?: number }>(items: T[], item: T, direction: 'raise' | 'lower'): void {
  const at = items.indexOf(item);
  const other = items[direction === 'raise' ? at - 1 : at + 1];
  if (other === undefined) return;
  const before = item.priority;
  const after = other.priority;
  const ordered = items.every(({ priority = 0 }, index) => index === 0 || (items[index - 1]?.priority ?? 0) < priority);
  items.splice(at, 1);
  items.splice(direction === 'raise' ? at - 1 : at + 1, 0, item);
  if (ordered && before !== undefined && after !== undefined) {
    item.priority = after;
    other.priority = before;
    return;
  }
  // Priorities may be equal, so number all items again.
  for (const [index, one] of items.entries()) one.priority = (index + 1) * 10;
}
