import { pathOf } from '../../admin/admin-routes.js';
import { operations } from './admin-api-page.js';
import { code, codes } from './markdown.js';

const BY_METHOD = { GET: 'ACTION', POST: 'CREATE', PUT: 'UPDATE', DELETE: 'DELETE' } as const;

/** Returns a row for each resource type of admin events, with the operations and the paths that write it. */
export function adminEventTypes(): string[][] {
  const types = new Map<string, { kinds: Set<string>; paths: Set<string> }>();
  for (const operation of operations()) {
    const { event, method } = operation;
    if (event === undefined) continue;
    const { kinds, paths } = types.get(event.resourceType) ?? { kinds: new Set(), paths: new Set() };
    kinds.add(event.operation ?? BY_METHOD[method]);
    paths.add(pathOf(operation).replace(/^\/realms\/\{realm\}/, '') || '/');
    types.set(event.resourceType, { kinds, paths });
  }
  return [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, { kinds, paths }]) => [code(type), [...kinds].sort().join(', '), codes([...paths].sort())]);
}
