/**
 * Swaps an item's position and priority with its neighbour's. As in Keycloak, an item at the end of the list stays
 * there.
 */
export function moveItem<T extends { priority?: number }>(items: T[], item: T, direction: 'raise' | 'lower'): void {
  const index = items.indexOf(item);
  const neighbour = items[direction === 'raise' ? index - 1 : index + 1];
  if (neighbour === undefined) return;
  const itemPriority = item.priority;
  const neighbourPriority = neighbour.priority;
  const isOrdered = items.every(
    ({ priority = 0 }, index) => index === 0 || (items[index - 1]?.priority ?? 0) < priority,
  );
  items.splice(index, 1);
  items.splice(direction === 'raise' ? index - 1 : index + 1, 0, item);
  if (isOrdered && itemPriority !== undefined && neighbourPriority !== undefined) {
    item.priority = neighbourPriority;
    neighbour.priority = itemPriority;
    return;
  }
  // Priorities may be equal or missing, so number all items again.
  for (const [position, entry] of items.entries()) entry.priority = (position + 1) * 10;
}
