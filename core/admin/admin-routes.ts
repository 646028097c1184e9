import { RouteMatcher } from '../http/route-matcher.js';
import type { AdminOperation } from './operation.js';

const BASE = { realm: '/realms/{realm}', realms: '/realms', server: '' } as const;

/** The full path of an operation below `/admin`, with its parameters in braces. */
export function pathOf({ scope = 'realm', path }: AdminOperation): string {
  return BASE[scope] + path;
}

/** Creates the routes. Fixed segments take precedence over parameters: `/users/count` over `/users/{userId}`. */
export function adminRoutes(operations: readonly AdminOperation[]): RouteMatcher<AdminOperation> {
  const routes = new RouteMatcher<AdminOperation>();
  for (const operation of [...operations].sort((a, b) => sortKey(a).localeCompare(sortKey(b))))
    routes.add(operation.method, pathOf(operation), operation);
  return routes;
}

/** Returns a sort key by which fixed segments come before parameters, segment by segment. */
function sortKey(operation: AdminOperation): string {
  return pathOf(operation)
    .split('/')
    .map((part) => (part.startsWith('{') ? (part.endsWith('*}') ? '~~' : '~') : `!${part}`))
    .join('/');
}
