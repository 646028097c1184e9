/** Changes places with the neighbour; at the end of the list nothing happens, as in Keycloak. */
export function moveItem<T extends { priority?: number }>(items: T[], item: T, direction: 'raise' | 'lower'): void {
  const at = items.indexOf(item);
  const other = items[direction === 'raise' ? at - 1 : at + 1];
  if (other === undefined) return;
  items.splice(at, 1);
  items.splice(direction === 'raise' ? at - 1 : at + 1, 0, item);
  // Priorities may be equal: each gets its place.
  for (const [index, one] of items.entries()) one.priority = (index + 1) * 10;
}
