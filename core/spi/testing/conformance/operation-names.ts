import type { ProviderDefinition } from '../../plugin.js';

/**
 * The names of the methods that a declaration contains: routes of a resource, rpcs of a service, or operations of a
 * page.
 */
export function operationNames(declaration: ProviderDefinition['declaration']): readonly string[] {
  const { routes, methods, operations } = declaration as Readonly<Record<string, object | undefined>>;
  return Object.keys(routes ?? methods ?? operations ?? {});
}
